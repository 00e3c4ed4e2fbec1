import { recordAudit } from '../../accounts/workspaces/audit-log.ts';
import { findProgram, type ProgramState } from '../../domain/programs/queries.ts';
import {
  type ImportedReferral,
  importReferrals,
  takeImportSource,
} from '../../domain/tracking/batch/import-referral.ts';
import type { Database } from '../../platform/db/database.ts';
import type { ProjectWrite } from '../../platform/feed/writer/project-write.ts';
import type { ProjectWriter } from '../../platform/feed/writer/writer.ts';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import { assertStorable } from '../../platform/http/routes/parse-json.ts';
import { compileCheck } from '../../platform/http/routes/validate.ts';
import { AppError, type Issue, invalid, notFound } from '../../platform/kit/errors.ts';
import { type ImportPlace, importRow, type RowDeps } from './import-row.ts';
import { type ImportAnswer, type ImportResult, ImportRow } from './schema.ts';

export interface ImportDeps extends RowDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
}

/** Rows per transaction, so that other writes can run in between. */
const SLICE = 50;
/** A dry run is one transaction, which other writes wait for. */
export const DRY_RUN_ROWS_MAX = 200;

/** Rolls a dry run back and carries its result. */
class DryRunRollback extends AppError {
  readonly results: readonly ImportResult[];

  constructor(results: readonly ImportResult[]) {
    super('CONFLICT', 'This was a dry run.');
    this.results = results;
  }
}

/**
 * Imports rows in order, each by itself. A repeat changes nothing. Fails with NOT_FOUND for the
 * program, INVALID_REQUEST if it is not of kind referral or there are too many rows for a
 * dry run, and CONFLICT for referrals without a source.
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
  if (dryRun && rows.length > DRY_RUN_ROWS_MAX) {
    throw invalid('rows', `has more than ${DRY_RUN_ROWS_MAX} rows, the most for a dry run`);
  }
  if (dryRun) {
    results.push(...(await runDry(deps, request, programId, rows)));
  } else {
    // Each row is deduplicated by itself; the stored response belongs to the whole call.
    const each = { ...request, idempotency: null };
    for (let from = 0; from < rows.length; from += SLICE) {
      const slice = rows.slice(from, from + SLICE);
      const taken = await deps.writer.run(each, async (write) => {
        const { results: answer } = await takeSlice(deps, write, request, {
          programId,
          rows: slice,
        });
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

async function runDry(
  deps: ImportDeps,
  request: WriteRequest,
  programId: string,
  rows: readonly unknown[],
): Promise<readonly ImportResult[]> {
  try {
    return await deps.writer.run({ ...request, idempotency: null }, async (write) => {
      throw new DryRunRollback(
        forgetMade(await takeSlice(deps, write, request, { programId, rows })),
      );
    });
  } catch (error) {
    if (error instanceof DryRunRollback) return error.results;
    throw error;
  }
}

/** Ids created by a dry run do not exist. */
function forgetMade({ results, made }: TakenSlice): ImportResult[] {
  const known = (id: string | null) => (id === null || made.has(id) ? null : id);
  return results.map((result) => ({
    ...result,
    participantId: known(result.participantId),
    referralId: known(result.referralId),
  }));
}

interface TakenSlice {
  readonly results: ImportResult[];
  /** Ids of participants and referrals that are new. */
  readonly made: ReadonlySet<string>;
}

async function takeSlice(
  deps: ImportDeps,
  write: ProjectWrite,
  request: WriteRequest,
  { programId, rows }: { readonly programId: string; readonly rows: readonly unknown[] },
): Promise<TakenSlice> {
  const program = await findReferralProgram(write, programId);
  const place: ImportPlace = { program, pending: new Map() };
  const results: ImportResult[] = [];
  const made = new Set<string>();
  for (const value of rows) {
    const read = readRow(value);
    if ('issues' in read) {
      results.push(refused(read.issues));
      continue;
    }
    try {
      const taken = await importRow(deps, write, place, read.row);
      if (taken.status === 'created') made.add(taken.participantId);
      results.push({ ...taken, issues: [] });
    } catch (error) {
      results.push(refused(issuesOf(error)));
    }
  }
  const bound = await bindAll(deps, write, request, [...place.pending.values()]);
  for (const id of bound.values()) made.add(id);
  const withReferrals = results.map((result) => ({
    ...result,
    referralId: result.referralId ?? bound.get(result.participantId ?? '') ?? null,
  }));
  return { results: withReferrals, made };
}

/** By referee. */
async function bindAll(
  deps: ImportDeps,
  write: ProjectWrite,
  request: WriteRequest,
  pending: readonly ImportedReferral[],
): Promise<ReadonlyMap<string, string>> {
  if (pending.length === 0) return new Map();
  const sourceId = await takeImportSource(write, request);
  const ids = await importReferrals(write, deps, sourceId, pending);
  return new Map(pending.map(({ participant }, index) => [participant.id, ids[index] as string]));
}

function refused(issues: readonly Issue[]): ImportResult {
  return { status: 'invalid', issues: [...issues], participantId: null, referralId: null };
}

async function findReferralProgram(
  { tx, projectId, now }: ProjectWrite,
  programId: string,
): Promise<ProgramState> {
  const program = await findProgram(tx, projectId, programId, now);
  if (!program) throw notFound('program');
  if (program.kind !== 'referral') {
    throw invalid('programId', `must be a program of kind referral, not ${program.kind}`);
  }
  return program;
}

function countStatuses(results: readonly ImportResult[]): ImportAnswer['counts'] {
  const counts = { created: 0, updated: 0, unchanged: 0, invalid: 0 };
  for (const { status } of results) counts[status] += 1;
  return counts;
}

const check = compileCheck(ImportRow, 'body');

/** A valid row, or what is wrong with it. */
function readRow(value: unknown): { row: ImportRow } | { issues: readonly Issue[] } {
  try {
    assertStorable(value);
    check(value);
  } catch (error) {
    return { issues: issuesOf(error) };
  }
  const row = value as ImportRow;
  if ((row.referredByExternalId ?? null) !== null && (row.referredByCode ?? null) !== null) {
    return {
      issues: [{ path: 'referredByCode', issue: 'cannot be combined with referredByExternalId' }],
    };
  }
  return { row };
}

/** The field that a refusal concerns, if the refusal does not say. */
const PATHS: Readonly<Record<string, string>> = {
  billing_id_taken: 'billingId',
  code_taken: 'code',
  slug_taken: 'slug',
  participant_deleted: 'externalId',
};

/** Converts a refusal into issues of a row; rethrows any other error. */
function issuesOf(error: unknown): Issue[] {
  if (!(error instanceof AppError) || error.code === 'SERVICE_UNAVAILABLE') throw error;
  if (error.details) return [...error.details];
  return [{ path: PATHS[error.reason ?? ''] ?? '', issue: error.message }];
}
