import type { Queryable } from '../../platform/db/driver.ts';
import { forgetTexts } from '../../platform/feed/queries.ts';
import { SLICE, type Slice } from '../../platform/feed/writer/project-write.ts';
import type { ProjectRef } from '../../platform/http/access/principal.ts';
import type { CursorPage } from '../../platform/http/routes/paging.ts';
import { addMs, type Instant, toMs } from '../../platform/kit/instant.ts';
import { readPayoutBacklog } from './backlog-store.ts';
import { countUndecided, findBatch, listBatches as listRows } from './batches/batch-store.ts';
import { clearFailureMessages, listParts, listPartsBehind } from './batches/part-store.ts';
import type { PayoutDeps } from './payout-deps.ts';
import { SILENT_MS } from './schedule.ts';
import type { BatchStatus } from './states.ts';
import type { BatchRow, PartRow, PayoutRow } from './transfers/payout.ts';
import { countUnanswered, findOpenTransfer, listPayoutsTo } from './transfers/payout-store.ts';

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
  project: Pick<ProjectRef, 'id' | 'workspaceId' | 'environment'>,
  realNow: Instant,
  most: number,
): Promise<WaitingPayouts> {
  const place = { ...project, projectId: project.id };
  const [batches, unanswered] = await Promise.all([
    countUndecided(db, place, most),
    countUnanswered(db, place, addMs(realNow, -SILENT_MS), most),
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

/**
 * Clears failure messages of a participant's payouts, in past events as well; failure reasons stay.
 */
export function eraseMessages(participantId: string, after = 0): Slice {
  return async (write) => {
    const { tx, projectId } = write;
    const parts = await listPartsBehind(tx, projectId, participantId, { after, limit: SLICE });
    const payoutIds = parts.map(({ payoutId }) => payoutId);
    if (payoutIds.length > 0) clearFailureMessages(tx, projectId, payoutIds);
    forgetTexts(write, payoutIds);
    const last = parts[SLICE - 1];
    return last ? eraseMessages(participantId, last.number) : null;
  };
}

/** The project's batches, newest first, one more than the page size. */
export function listBatches(
  db: Queryable,
  project: Pick<ProjectRef, 'id' | 'workspaceId' | 'environment'>,
  status: BatchStatus | null,
  page: CursorPage,
): Promise<BatchRow[]> {
  return listRows(db, { ...project, projectId: project.id }, status, page);
}

/** A transfer's state in a project. */
export async function findPayoutState(
  db: Queryable,
  projectId: string,
  payoutId: string,
): Promise<PartRow | undefined> {
  return (await listParts(db, projectId, [payoutId]))[0];
}

/** A batch of the project. */
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

/**
 * Transfers sent to a partner, newest first, below an id if one is given. Planned ones are left
 * out.
 */
export function listTransfers(
  db: Queryable,
  partnerId: string,
  beforeId: string | null,
  limit: number,
): Promise<Transfer[]> {
  return listPayoutsTo(db, partnerId, beforeId, limit);
}
