import { findParties } from '../../../domain/participants/queries.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import {
  decodeNumberCursor,
  encodeNumberCursor,
  LIMIT_DEFAULT,
} from '../../../platform/http/routes/paging.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import { listLines, listPartPage, listParts } from '../batches/part-store.ts';
import { toPayout } from '../present.ts';
import type { ListPayouts, Payout } from '../schema.ts';
import type { PartRow } from './payout.ts';
import { findReferences } from './payout-store.ts';

/** Newest first. Fails with INVALID_REQUEST for what is not a cursor of this list. */
export async function listPayouts(
  db: Queryable,
  projectId: string,
  query: ListPayouts,
): Promise<{ success: true; data: Payout[]; nextCursor: string | null }> {
  const limit = query.limit ?? LIMIT_DEFAULT;
  const filter = {
    batchId: query.batchId ?? null,
    participantId: query.beneficiaryParticipantId ?? null,
    status: query.status ?? null,
    method: query.method ?? null,
    currency: query.currency?.toUpperCase() ?? null,
  };
  const below =
    query.cursor === undefined ? null : decodeNumberCursor('payouts', projectId, query.cursor);
  const rows = await listPartPage(db, projectId, filter, { below, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    success: true,
    data: await showPayouts(db, projectId, shown),
    nextCursor:
      rows.length > limit && last ? encodeNumberCursor('payouts', projectId, last.number) : null,
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
