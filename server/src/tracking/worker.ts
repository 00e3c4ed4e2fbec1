import type { Database } from '../db/database.ts';
import { ownRequest } from '../http/principal.ts';
import type { Clock } from '../kit/clock.ts';
import type { NewId } from '../kit/ids.ts';
import { toInstant } from '../kit/instant.ts';
import { startWorker, type Watch, type Worker } from '../kit/worker.ts';
import { type DecideDeps, settleDue } from './settle-due.ts';
import { listDueEvents } from './store.ts';

const SLICE = 200;
const POLL_MS = 1_000;
const POLL_MAX_MS = 30_000;

export interface DueDeps extends DecideDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Decides purchases whose signup did not come in time; returns for how many people. */
export async function decideDueOnce(deps: DueDeps): Promise<number> {
  const due = await listDueEvents(deps.database.reads, toInstant(deps.clock.nowMs()), SLICE);
  const people = new Map(due.map((one) => [`${one.projectId}\n${one.participantId}`, one]));
  await Promise.all(
    [...people.values()].map(({ projectId, participantId }) =>
      settleDue(deps, ownRequest(projectId, 'tracking', deps.newId('req')), participantId),
    ),
  );
  return people.size;
}

/** Any number of processes may run one: the writer decides each purchase once. */
export function startTrackingWorker(deps: DueDeps & Pick<Watch, 'onRun'>): Worker {
  return startWorker({
    runOnce: () => decideDueOnce(deps),
    pollMs: POLL_MS,
    pollMaxMs: POLL_MAX_MS,
    onFailure: (error) => deps.onFailure(error, ''),
    onRun: deps.onRun,
  });
}
