import type { Database } from '../db/database.ts';
import type { ProjectWrite } from '../feed/project-write.ts';
import type { ProjectWriter } from '../feed/writer.ts';
import type { WriteRequest } from '../http/principal.ts';
import { AppError, type Issue, invalid, notFound } from '../kit/errors.ts';
import { findProgram, type ProgramState } from '../programs/find-program.ts';
import { findImportSource, IMPORT_SOURCE } from '../tracking/import-referral.ts';
import { registerSource } from '../tracking/register-source.ts';
import { recordAudit } from '../workspaces/record-audit.ts';
import { importRow, type RowDeps } from './import-row.ts';
import { issuesOf, readRow } from './read-row.ts';
import type { ImportAnswer, ImportResult } from './schema.ts';

export interface ImportDeps extends RowDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
}

/** Rows that one transaction takes, so that others' writes come in between. */
const SLICE = 100;
/** Stands in a rehearsal for the source that would be made. */
const NO_SOURCE = 'src_none';

/** Ends a rehearsal: nothing of it stays but what it came to. */
class Rehearsed extends AppError {
  readonly results: readonly ImportResult[];

  constructor(results: readonly ImportResult[]) {
    super('CONFLICT', 'This was a rehearsal.');
    this.results = results;
  }
}

/**
 * Takes rows in their order, each by itself. Repeating them changes nothing. Ends with NOT_FOUND for
 * the Program, INVALID_REQUEST for one that is not of kind referral, CONFLICT `limit_reached` if
 * there is no room for the source.
 */
export async function importRows(
  deps: ImportDeps,
  request: WriteRequest,
  input: {
    readonly programId: string;
    readonly dryRun: boolean;
    readonly rows: readonly unknown[];
  },
): Promise<ImportAnswer> {
  const { programId, dryRun, rows } = input;
  const results: ImportResult[] = [];
  if (dryRun) {
    results.push(...(await rehearse(deps, request, programId, rows)));
  } else {
    // Each row is recognised by itself; a kept answer is the whole call's.
    const each = { ...request, idempotency: null };
    const source = await registerSource(deps.writer, each, IMPORT_SOURCE);
    for (let from = 0; from < rows.length; from += SLICE) {
      const slice = rows.slice(from, from + SLICE);
      const taken = await deps.writer.run(each, async (write) => {
        const rowsTaken = await takeSlice(deps, write, programId, source.id, slice);
        const answer = rowsTaken.map(toResult);
        recordAudit(write, request, {
          action: 'rows.import',
          targetType: 'program',
          targetId: programId,
          changes: { ...countStatuses(answer) },
        });
        return { answer };
      });
      results.push(...taken);
    }
  }
  return { dryRun, counts: countStatuses(results), results };
}

async function rehearse(
  deps: ImportDeps,
  request: WriteRequest,
  programId: string,
  rows: readonly unknown[],
): Promise<readonly ImportResult[]> {
  try {
    return await deps.writer.run({ ...request, idempotency: null }, async (write) => {
      const sourceId = (await findImportSource(write.tx, write.projectId)) ?? NO_SOURCE;
      const results = await takeSlice(deps, write, programId, sourceId, rows);
      throw new Rehearsed(forgetMade(results));
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.results;
    throw error;
  }
}

/** The ids of what a rehearsal made name nothing. */
function forgetMade(taken: readonly Taken[]): ImportResult[] {
  const made = new Set(
    taken.flatMap(({ status, participantId, isBound, referralId }) => [
      ...(status === 'created' ? [participantId] : []),
      ...(isBound ? [referralId] : []),
    ]),
  );
  const known = (id: string | null) => (made.has(id) ? null : id);
  return taken.map(toResult).map((result) => ({
    ...result,
    participantId: known(result.participantId),
    referralId: known(result.referralId),
  }));
}

type Taken = ImportResult & { readonly isBound: boolean };

function toResult({ isBound: _, ...result }: Taken): ImportResult {
  return result;
}

async function takeSlice(
  deps: ImportDeps,
  write: ProjectWrite,
  programId: string,
  sourceId: string,
  rows: readonly unknown[],
): Promise<Taken[]> {
  const program = await findReferralProgram(write, programId);
  const results: Taken[] = [];
  for (const value of rows) {
    const read = readRow(value);
    if ('issues' in read) {
      results.push(refused(read.issues));
      continue;
    }
    try {
      const taken = await importRow(deps, write, { program, sourceId }, read.row);
      results.push({ ...taken, issues: [] });
    } catch (error) {
      results.push(refused(issuesOf(error)));
    }
  }
  return results;
}

function refused(issues: readonly Issue[]): Taken {
  const nothing = { participantId: null, referralId: null, isBound: false };
  return { status: 'invalid', issues: [...issues], ...nothing };
}

async function findReferralProgram(
  { tx, projectId, now }: ProjectWrite,
  programId: string,
): Promise<ProgramState> {
  const program = await findProgram(tx, projectId, programId, now);
  if (!program) throw notFound('program');
  if (program.kind !== 'referral') {
    throw invalid('programId', `is a program of kind ${program.kind}: only referral`);
  }
  return program;
}

function countStatuses(results: readonly ImportResult[]): ImportAnswer['counts'] {
  const counts = { created: 0, updated: 0, unchanged: 0, invalid: 0 };
  for (const { status } of results) counts[status] += 1;
  return counts;
}
