import type { Queryable } from '../../platform/db/driver.ts';
import { forgetTexts } from '../../platform/feed/queries.ts';
import { SLICE, type Slice } from '../../platform/feed/writer/slice.ts';
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

/** Whether there is an account to pay from. What is paid by hand needs none. */
export async function isConnected(
  { findProvider }: Pick<PayoutDeps, 'findProvider'>,
  place: Place,
): Promise<boolean> {
  return place.method === 'manual_export' || (await findProvider(place)) !== null;
}

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

/** How many transfers nobody can tell of, since when, and how late the service is in asking. */
export async function measurePayouts(
  source: Queryable,
  now: Instant,
): Promise<{ unanswered: number; unansweredSeconds: number; overdueSeconds: number }> {
  const { unanswered, firstUnansweredAt, firstDueAt } = await readPayoutBacklog(source, now);
  const since = (at: Instant | null) => (at ? Math.max(0, toMs(now) - toMs(at)) / 1_000 : 0);
  return {
    unanswered,
    unansweredSeconds: since(firstUnansweredAt),
    overdueSeconds: since(firstDueAt),
  };
}

/** Clears in which words payouts of a participant failed, in past events too; failure reasons stay. */
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

/** Those that the Project is in, newest first, one more than the page has. */
export function listBatches(
  source: Queryable,
  project: Pick<ProjectRef, 'id' | 'workspaceId' | 'environment'>,
  status: BatchStatus | null,
  page: CursorPage,
): Promise<BatchRow[]> {
  return listRows(source, { ...project, projectId: project.id }, status, page);
}

/** What a Project has to do with a transfer. */
export async function findPayoutState(
  source: Queryable,
  projectId: string,
  payoutId: string,
): Promise<PartRow | undefined> {
  return (await listParts(source, projectId, [payoutId]))[0];
}

/** A batch that the Project is in. */
export async function findBatchState(
  source: Queryable,
  projectId: string,
  batchId: string,
): Promise<BatchRow | undefined> {
  const batch = await findBatch(source, batchId);
  return batch?.projectIds.includes(projectId) ? batch : undefined;
}

/** Whether anything that was ordered through this account has not come to an end yet. */
export async function hasOpenTransfers(source: Queryable, connectionId: string): Promise<boolean> {
  return (await findOpenTransfer(source, connectionId)) !== undefined;
}

/** A payout as its payee sees it: one transfer, whatever Projects it pays for. */
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

/** What was sent to a Partner, newest first, below an id if one is given; not what is still planned. */
export function listTransfers(
  source: Queryable,
  partnerId: string,
  beforeId: string | null,
  limit: number,
): Promise<Transfer[]> {
  return listPayoutsTo(source, partnerId, beforeId, limit);
}
