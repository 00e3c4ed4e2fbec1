import type { Database } from '../../platform/db/database.ts';
import type { ProjectWriter } from '../../platform/feed/writer/writer.ts';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import { invalidRequest } from '../../platform/http/routes/validate.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import { AppError, conflict, type Issue, notFound } from '../../platform/kit/errors.ts';
import type { ProgramDefinition } from '../programs/definition/definition-schema.ts';
import { loadInForce } from '../programs/definition/load-in-force.ts';
import { parseDefinition } from '../programs/definition/parse-definition.ts';
import { authorOf } from '../programs/program-deps.ts';
import { listUnitsByKey } from '../programs/queries.ts';
import { refuseInvalid } from '../programs/refuse-invalid.ts';
import { checkAsked } from './check-asked.ts';
import { toProposal } from './proposal.ts';
import type { Backtest, CreateBacktest } from './schema.ts';
import { type BacktestRow, cancelOpen, countOpen, findBacktest, insertBacktest } from './store.ts';

/** Back-tests of a Project that are queued or run. */
export const OPEN_MAX = 5;

export interface BacktestsDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly clock: Clock;
  /** Wakes the worker of this process: it looks by itself only every few seconds. */
  readonly onQueued: () => void;
}

/** Queues a back-test. Fails with NOT_FOUND, INVALID_REQUEST, or CONFLICT limit_reached. */
export async function createBacktest(
  { writer }: BacktestsDeps,
  request: WriteRequest,
  { programId, definition: given, prune = false, ...time }: CreateBacktest,
): Promise<Backtest> {
  const definition = given === undefined || given === null ? null : readDefinition(given);
  return writer.run(request, async (write) => {
    const { tx, projectId, now, realNow } = write;
    const { from, to, issues } = checkAsked({ ...time, definition, prune }, now);
    const inForce = await loadInForce(tx, projectId, programId, now);
    if (!inForce) throw notFound('program');
    let proposal: BacktestRow['proposal'] = null;
    if (definition) {
      const keys = Object.values(definition.rules ?? {}).flatMap(
        (one) => one.terms?.unit?.key ?? [],
      );
      const units = keys.length === 0 ? [] : await listUnitsByKey(tx, projectId, keys);
      const byKey = new Map(units.map((unit) => [unit.key, unit]));
      const asked = { definition, prune, inForce, units: byKey, now };
      const resolved = toProposal(asked);
      issues.push(...resolved.issues.map(inDefinition));
      proposal = resolved.proposal;
    }
    refuseInvalid(issues);
    const { open } = (await countOpen(tx, projectId)) ?? { open: 0 };
    if (open >= OPEN_MAX) {
      throw conflict(
        'limit_reached',
        `A project has at most ${OPEN_MAX} back-tests that wait or run.`,
      );
    }
    const row = {
      id: write.newId('btt'),
      projectId,
      programId,
      from,
      to,
      definition,
      proposal,
      createdAt: realNow,
      createdBy: authorOf(request.actor),
    };
    insertBacktest(tx, row);
    return {
      answer: {
        id: row.id,
        projectId,
        programId,
        from,
        to,
        status: 'queued',
        progress: { done: 0, all: null },
        failure: null,
        createdAt: realNow,
        createdBy: row.createdBy,
        startedAt: null,
        finishedAt: null,
      },
    };
  });
}

/** As `parseDefinition`, with paths in the request. */
function readDefinition(given: unknown): ProgramDefinition {
  try {
    return parseDefinition(given);
  } catch (error) {
    if (!(error instanceof AppError && error.details)) throw error;
    throw invalidRequest(error.details.map(inDefinition), 'body');
  }
}

function inDefinition({ path, issue }: Issue): Issue {
  return { path: path === '' ? 'definition' : `definition.${path}`, issue };
}

/** Stops one that waits or runs; a repeat, or the cancellation of one that has ended, changes nothing. Fails with NOT_FOUND. */
export async function cancelBacktest(
  { writer }: Pick<BacktestsDeps, 'writer'>,
  request: WriteRequest,
  id: string,
): Promise<BacktestRow> {
  return writer.run(request, async ({ tx, projectId, realNow }) => {
    const row = await findBacktest(tx, projectId, id);
    if (!row) throw notFound('back-test');
    if (row.status !== 'queued' && row.status !== 'running') return { answer: row };
    cancelOpen(tx, projectId, id, realNow);
    return { answer: { ...row, status: 'cancelled', finishedAt: realNow } };
  });
}
