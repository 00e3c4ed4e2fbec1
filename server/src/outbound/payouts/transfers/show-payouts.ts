import { findParties } from '../../../domain/participants/queries.ts';
import { listOrigins } from '../../../domain/rewards/queries.ts';
import { listEventSubjects } from '../../../domain/tracking/queries.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import {
  cursorList,
  decodeNumberCursor,
  encodeNumberCursor,
  LIMIT_DEFAULT,
} from '../../../platform/http/routes/paging.ts';
import { toTotals } from '../../../platform/http/routes/totals.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import {
  listLines,
  listPartPage,
  listParts,
  type PartFilter,
  sumParts,
} from '../batches/part-store.ts';
import { toPayout } from '../present.ts';
import type { ListPayouts, Payout, PayoutDetail, PayoutQuery, PayoutTotals } from '../schema.ts';
import type { PartRow } from './payout.ts';
import { findReferences } from './payout-store.ts';

/** Newest or oldest first. Fails with INVALID_REQUEST for what is not a cursor of this list. */
export async function listPayouts(
  db: Queryable,
  projectId: string,
  query: ListPayouts,
): Promise<{ success: true; data: Payout[]; nextCursor: string | null }> {
  const limit = query.limit ?? LIMIT_DEFAULT;
  const order = query.order ?? 'desc';
  const list = cursorList('payouts', order);
  const behind =
    query.cursor === undefined ? null : decodeNumberCursor(list, projectId, query.cursor);
  const page = { order, behind, limit: limit + 1 };
  const rows = await listPartPage(db, projectId, toFilter(query), page);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    success: true,
    data: await showPayouts(db, projectId, shown),
    nextCursor:
      rows.length > limit && last ? encodeNumberCursor(list, projectId, last.number) : null,
  };
}

/** Number and sums of the payouts that match. */
export async function totalPayouts(
  db: Queryable,
  projectId: string,
  query: PayoutQuery,
): Promise<PayoutTotals> {
  const found = await sumParts(db, projectId, toFilter(query));
  const { count, isMore, groups } = toTotals(found);
  const sums =
    groups?.map(({ currency, currencyExponent, amountMinor }) => {
      return { currency, currencyExponent, amountMinor };
    }) ?? null;
  return { count, isMore, sums };
}

function toFilter(query: PayoutQuery): PartFilter {
  return {
    batchId: query.batchId ?? null,
    participantId: query.beneficiaryParticipantId ?? null,
    status: query.status ?? null,
    method: query.method ?? null,
    currency: query.currency?.toUpperCase() ?? null,
  };
}

/** Fails with NOT_FOUND for a payout that the project has no part in. */
export async function findPayoutIn(
  db: Queryable,
  projectId: string,
  payoutId: string,
): Promise<Payout> {
  const [payout] = await showPayouts(db, projectId, await listParts(db, projectId, [payoutId]));
  if (!payout) throw notFound('payout');
  return payout;
}

/** With what its Rewards come from. Fails with NOT_FOUND for a payout that the project has no part in. */
export async function findPayoutDetail(
  db: Queryable,
  projectId: string,
  payoutId: string,
): Promise<PayoutDetail> {
  const payout = await findPayoutIn(db, projectId, payoutId);
  const rewardIds = payout.rewards.map(({ rewardId }) => rewardId);
  const origins = await listOrigins(db, projectId, rewardIds);
  const eventIds = [...new Set(origins.map(({ eventId }) => eventId))];
  const events = await listEventSubjects(db, projectId, eventIds);
  const originOf = new Map(origins.map((one) => [one.rewardId, one]));
  const eventOf = new Map(events.map((one) => [one.id, one]));
  return {
    ...payout,
    rewards: payout.rewards.map((line) => {
      const origin = originOf.get(line.rewardId);
      const event = origin && eventOf.get(origin.eventId);
      if (!event) throw new Error(`Reward ${line.rewardId} of a payout has no event.`);
      const { id: _, type: eventType, participantId } = event;
      return { ...line, ...origin, eventType, participantId };
    }),
  };
}

async function showPayouts(
  db: Queryable,
  projectId: string,
  parts: readonly PartRow[],
): Promise<Payout[]> {
  const idsOf = (some: readonly PartRow[]) => some.map(({ payoutId }) => payoutId);
  const underway = parts.filter(({ status }) => status === 'processing');
  const payees = parts.map(({ participantId }) => participantId);
  const [references, lines, parties] = await Promise.all([
    // The outcome reaches the project when the transfer has ended; its reference is useful before.
    findReferences(db, idsOf(underway)),
    listLines(db, projectId, idsOf(parts)),
    findParties(db, projectId, payees),
  ]);
  const linesOf = groupBy(lines, ({ payoutId }) => payoutId);
  return parts.map((part) => {
    const party = parties.get(part.participantId);
    if (!party) throw new Error(`Payout ${part.payoutId} has no payee.`);
    const providerReference = part.providerReference ?? references.get(part.payoutId) ?? null;
    return toPayout({ ...part, providerReference }, linesOf.get(part.payoutId) ?? [], party);
  });
}
