import type { Queryable } from '../../platform/db/driver.ts';
import { addMs, type Instant, toMs } from '../../platform/kit/instant.ts';
import { countUndecided, findBatch } from './batches/batch-store.ts';
import { listParts } from './batches/part-store.ts';
import type { PayoutDeps } from './payout-deps.ts';
import { SILENT_MS } from './schedule.ts';
import type { BatchRow, PartRow, PayoutRow, ProjectPlace } from './transfers/payout.ts';
import { countUnanswered, findOpenTransfer, readPayoutBacklog } from './transfers/payout-store.ts';

type Place = Parameters<PayoutDeps['findProvider']>[0];

/** Whether there is an account to pay from. Manual payouts need none. */
export async function isConnected(
  { findProvider }: Pick<PayoutDeps, 'findProvider'>,
  place: Place,
): Promise<boolean> {
  return place.method === 'manual_export' || (await findProvider(place)) !== null;
}

export interface WaitingPayouts {
  /** Number of batches. */
  readonly toApprove: number;
  readonly toSubmit: number;
  /**
   * Transfers that the provider could not report on for so long that operators may record a result.
   */
  readonly unanswered: number;
}

/** How many of a project's payouts wait for an operator; each count stops at `most`. */
export async function countWaitingPayouts(
  db: Queryable,
  project: ProjectPlace,
  realNow: Instant,
  most: number,
): Promise<WaitingPayouts> {
  const [batches, unanswered] = await Promise.all([
    countUndecided(db, project, most),
    countUnanswered(db, project, addMs(realNow, -SILENT_MS), most),
  ]);
  return { toApprove: batches.draft, toSubmit: batches.approved, unanswered };
}

/** The number of unanswered transfers, since when, and how late the service is with its calls. */
export async function measurePayouts(
  db: Queryable,
  now: Instant,
): Promise<{ unanswered: number; unansweredSeconds: number; overdueSeconds: number }> {
  const { unanswered, firstUnansweredAt, firstDueAt } = await readPayoutBacklog(db, now);
  const since = (at: Instant | null) => (at ? Math.max(0, toMs(now) - toMs(at)) / 1_000 : 0);
  return {
    unanswered,
    unansweredSeconds: since(firstUnansweredAt),
    overdueSeconds: since(firstDueAt),
  };
}

export { findSettings, listBatches, listUnsettledFiles } from './batches/batch-store.ts';

export async function findPayoutState(
  db: Queryable,
  projectId: string,
  payoutId: string,
): Promise<PartRow | undefined> {
  return (await listParts(db, projectId, [payoutId]))[0];
}

export async function findBatchState(
  db: Queryable,
  projectId: string,
  batchId: string,
): Promise<BatchRow | undefined> {
  const batch = await findBatch(db, batchId);
  return batch?.projectIds.includes(projectId) ? batch : undefined;
}

/** Whether any transfer that was ordered through this account has not ended. */
export async function hasOpenTransfers(db: Queryable, connectionId: string): Promise<boolean> {
  return (await findOpenTransfer(db, connectionId)) !== undefined;
}

/** A payout as its payee sees it: one transfer, whatever projects it pays for. */
export type Transfer = Pick<
  PayoutRow,
  | 'id'
  | 'method'
  | 'currency'
  | 'currencyExponent'
  | 'amountMinor'
  | 'status'
  | 'failureReason'
  | 'paidAt'
  | 'createdAt'
>;

/** Transfers sent to a partner, newest first, below an id if one is given; not the planned ones. */
export { listPayoutsTo as listTransfers } from './transfers/payout-store.ts';
