import type { Database } from '../../../platform/db/database.ts';
import type { ProjectWriter } from '../../../platform/feed/writer/writer.ts';
import { ownRequest } from '../../../platform/http/access/principal.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import { startWorker, type Watch, type Worker, waitsFor } from '../../../platform/kit/worker.ts';
import { listUnfinishedReviews } from '../../risk/reviews/list-reviews.ts';
import { finishReview } from './record-decision.ts';

const POLL_MS = 5_000;
const POLL_MAX_MS = 60_000;
const REVIEWS_MAX = 100;

interface FinishDeps {
  readonly writer: ProjectWriter;
  readonly database: Database;
  readonly newId: NewId;
}

/** Carries out decisions that a terminated process left; returns how many. */
export async function finishReviews(
  { writer, database, newId }: FinishDeps,
  onFailure: (error: unknown) => void,
): Promise<number> {
  let finished = 0;
  for (const { projectId, id } of await listUnfinishedReviews(database.reads, REVIEWS_MAX)) {
    // A Project that cannot be written must not block the others.
    await finishReview(writer, ownRequest(projectId, 'risk', newId('req')), id).then(() => {
      finished += 1;
    }, onFailure);
  }
  return finished;
}

/** Any number of processes may run one. */
export function startReviewWorker(deps: FinishDeps & Watch): Worker {
  return startWorker({
    runOnce: () => finishReviews(deps, deps.onFailure),
    ...waitsFor(deps.database, { pollMs: POLL_MS, pollMaxMs: POLL_MAX_MS }),
    onFailure: deps.onFailure,
    onRun: deps.onRun,
  });
}
