import type { Database } from '../../../platform/db/database.ts';
import { ownRequest } from '../../../platform/http/access/principal.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import { type Instant, toInstant } from '../../../platform/kit/instant.ts';
import { startWorker, type Watch, type Worker, waitsFor } from '../../../platform/kit/worker.ts';
import { listProjectsExpired } from '../batch/early-store.ts';
import { listDueEvents } from './due-store.ts';
import { type DecideDeps, dropExpired, settleDue } from './settle-due.ts';

const SLICE = 200;
const POLL_MS = 1_000;
const POLL_MAX_MS = 30_000;

export interface DueDeps extends DecideDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
}

/**
 * Decides purchases whose signup did not arrive in time, and drops adjustments whose purchase did
 * not; returns the number of people plus that of adjustments.
 */
export async function decideDueOnce(deps: DueDeps): Promise<number> {
  const realNow = toInstant(deps.clock.nowMs());
  const dropped = await dropExpiredOnce(deps, realNow);
  const due = await listDueEvents(deps.database.reads, realNow, SLICE);
  const people = new Map(due.map((one) => [`${one.projectId}\n${one.participantId}`, one]));
  await Promise.all(
    [...people.values()].map(({ projectId, participantId }) =>
      settleDue(deps, ownRequest(projectId, 'tracking', deps.newId('req')), participantId),
    ),
  );
  return people.size + dropped;
}

/** Drops adjustments whose purchase did not arrive in time. An error in one Project does not affect the others. */
async function dropExpiredOnce(deps: DueDeps, realNow: Instant): Promise<number> {
  let dropped = 0;
  for (const projectId of await listProjectsExpired(deps.database.reads, realNow)) {
    const request = ownRequest(projectId, 'tracking', deps.newId('req'));
    try {
      dropped += await dropExpired(deps.writer, request, SLICE);
    } catch (error) {
      deps.onFailure(error, request.requestId);
    }
  }
  return dropped;
}

/** Any number of processes may run one: the writer decides each purchase once. */
export function startTrackingWorker(deps: DueDeps & Pick<Watch, 'onRun'>): Worker {
  return startWorker({
    runOnce: () => decideDueOnce(deps),
    ...waitsFor(deps.database, { pollMs: POLL_MS, pollMaxMs: POLL_MAX_MS }),
    onFailure: (error) => deps.onFailure(error, ''),
    onRun: deps.onRun,
  });
}
