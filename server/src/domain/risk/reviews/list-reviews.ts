import type { Queryable } from '../../../platform/db/driver.ts';
import { findFiguresOfPart } from '../../../platform/figures/figures.ts';
import {
  decodeNumberCursor,
  encodeNumberCursor,
  LIMIT_DEFAULT,
} from '../../../platform/http/routes/paging.ts';
import { findParties } from '../../participants/queries.ts';
import type { ParticipantKind } from '../../participants/schema.ts';
import { findHeldRewards } from '../../rewards/queries.ts';
import { explainSignal } from '../decide/explain-signal.ts';
import type { ListReviews, RiskReview, SignalFigures } from '../schema.ts';
import type { ReviewRow } from './review.ts';
import {
  countOpen,
  listReviews as listRows,
  listUnfinished as listUnfinishedReviews,
  type ReviewFilter,
} from './review-store.ts';
import { readSignalFigures, SIGNAL_FIGURES } from './signal-figures.ts';

export { countOpen as countOpenReviews, listUnfinishedReviews };

/** Newest first. Fails with INVALID_REQUEST for a cursor of another list, or with other filters. */
export async function listReviews(
  db: Queryable,
  projectId: string,
  query: ListReviews,
): Promise<{ success: true; data: RiskReview[]; nextCursor: string | null }> {
  const { limit = LIMIT_DEFAULT } = query;
  const { status = null, programId = null, signal = null, referralId = null } = query;
  const filter: ReviewFilter = { status, programId, signal, referralId };
  const list =
    `reviews/${encodeURIComponent(JSON.stringify([status, programId, signal, referralId]))}` as const;
  const below =
    query.cursor === undefined ? null : decodeNumberCursor(list, projectId, query.cursor);
  const rows = await listRows(db, projectId, filter, { below, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    success: true,
    data: await showReviews(db, projectId, shown),
    nextCursor:
      rows.length > limit && last ? encodeNumberCursor(list, projectId, last.number) : null,
  };
}

/** Reviews with their people, and the Rewards that wait for each. */
export async function showReviews(
  db: Queryable,
  projectId: string,
  rows: readonly ReviewRow[],
): Promise<RiskReview[]> {
  const ids = rows.flatMap((row) => [row.referrerParticipantId, row.refereeParticipantId]);
  const [parties, held] = await Promise.all([
    findParties(db, projectId, ids),
    findHeldRewards(
      db,
      projectId,
      rows.map(({ referralId }) => referralId),
    ),
  ]);
  const partyOf = (id: string) => {
    const party = parties.get(id);
    if (!party) throw new Error(`Participant ${id} of a review does not exist.`);
    return { ...party, kind: party.kind as ParticipantKind };
  };
  return rows.map((row) => ({
    id: row.id,
    projectId: row.projectId,
    programId: row.programId,
    referralId: row.referralId,
    referrer: partyOf(row.referrerParticipantId),
    referee: partyOf(row.refereeParticipantId),
    status: row.status,
    score: row.score,
    reviewAt: row.reviewAt,
    signals: row.signals.map((one) => ({ ...one, sentence: explainSignal(one, row.facts) })),
    policyVersionId: row.policyVersionId,
    eventId: row.eventId,
    openedAt: row.openedAt,
    decidedAt: row.decidedAt,
    decidedBy: row.decidedBy,
    note: row.note,
    heldRewards: held.get(row.referralId)?.count ?? 0,
    heldAmounts: held.get(row.referralId)?.amounts ?? [],
  }));
}

/** Per signal, how its reviews ended: of a Program, or of the whole Project. */
export async function showSignalFigures(
  db: Queryable,
  projectId: string,
  programId: string | null,
): Promise<SignalFigures[]> {
  const subject = programId ?? projectId;
  return readSignalFigures(await findFiguresOfPart(db, projectId, subject, SIGNAL_FIGURES));
}
