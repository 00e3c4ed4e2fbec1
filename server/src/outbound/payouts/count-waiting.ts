import type { Queryable } from '../../platform/db/driver.ts';
import type { ProjectRef } from '../../platform/http/access/principal.ts';
import { addMs, type Instant } from '../../platform/kit/instant.ts';
import { countUndecided } from './batches/batch-store.ts';
import { SILENT_MS } from './schedule.ts';
import { countUnanswered } from './transfers/payout-store.ts';

export interface WaitingPayouts {
  /** Batches. */
  readonly toApprove: number;
  readonly toSubmit: number;
  /** Transfers whose provider has not been able to tell of them for so long that people may. */
  readonly unanswered: number;
}

/** How much of a Project's payouts waits for somebody; of each, none is counted beyond `most`. */
export async function countWaitingPayouts(
  source: Queryable,
  project: Pick<ProjectRef, 'id' | 'workspaceId' | 'environment'>,
  realNow: Instant,
  most: number,
): Promise<WaitingPayouts> {
  const place = { ...project, projectId: project.id };
  const [batches, unanswered] = await Promise.all([
    countUndecided(source, place, most),
    countUnanswered(source, place, addMs(realNow, -SILENT_MS), most),
  ]);
  return { toApprove: batches.draft, toSubmit: batches.approved, unanswered };
}
