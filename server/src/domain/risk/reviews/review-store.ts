import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { listRows } from '../../../platform/db/statements.ts';
import {
  bigint,
  boolean,
  type Columns,
  insertRows,
  integer,
  json,
  selectColumns,
  text,
  timestamptz,
  updateRows,
} from '../../../platform/db/write-rows.ts';
import type { NumberPage } from '../../../platform/http/routes/paging.ts';
import type { RiskSignal } from '../../programs/policies/risk-policy.ts';
import type { ReviewStatus } from '../schema.ts';
import type { ReviewRow } from './review.ts';

const ID: Columns<ReviewRow> = { id: text((row) => row.id) };
const DECISION: Columns<ReviewRow> = {
  status: text((row) => row.status),
  decided_at: timestamptz((row) => row.decidedAt),
  decided_by: text((row) => row.decidedBy),
  note: text((row) => row.note),
  is_unfinished: boolean((row) => row.isUnfinished),
};

const ALL: Columns<ReviewRow> = {
  ...ID,
  number: bigint((row) => row.number),
  program_id: text((row) => row.programId),
  referral_id: text((row) => row.referralId),
  referrer_participant_id: text((row) => row.referrerParticipantId),
  referee_participant_id: text((row) => row.refereeParticipantId),
  event_id: text((row) => row.eventId),
  policy_version_id: text((row) => row.policyVersionId),
  score: integer((row) => row.score),
  review_at: integer((row) => row.reviewAt),
  signals: json((row) => row.signals),
  facts: json((row) => row.facts),
  opened_at: timestamptz((row) => row.openedAt),
  ...DECISION,
};

export const insertReviews = insertRows('risk_reviews', ALL);

export const updateReviews = updateRows('risk_reviews', ID, DECISION);

const REVIEW = selectColumns('v', ALL);

type StoredReview = Omit<ReviewRow, 'number'> & { readonly number: bigint };

const toRow = (row: StoredReview): ReviewRow => ({ ...row, number: Number(row.number) });

export async function findReview(
  db: Queryable,
  projectId: string,
  reviewId: string,
): Promise<ReviewRow | undefined> {
  const [row] = await db.query<StoredReview>(
    `select ${REVIEW} from risk_reviews v where v.project_id = $1 and v.id = $2`,
    [projectId, reviewId],
  );
  return row && toRow(row);
}

/** Null means any. */
export interface ReviewFilter {
  readonly status: ReviewStatus | null;
  readonly programId: string | null;
  readonly signal: RiskSignal | null;
  readonly referralId: string | null;
}

/** Newest first. */
export async function listReviews(
  db: Queryable,
  projectId: string,
  { status, programId, signal, referralId }: ReviewFilter,
  { below, limit }: NumberPage,
): Promise<ReviewRow[]> {
  const params: unknown[] = [projectId, limit];
  const conditions = ['v.project_id = $1'];
  if (status !== null) conditions.push(`v.status = $${params.push(status)}`);
  if (programId !== null) conditions.push(`v.program_id = $${params.push(programId)}`);
  if (referralId !== null) conditions.push(`v.referral_id = $${params.push(referralId)}`);
  if (signal !== null) {
    conditions.push(`exists (select 1 from json_array_elements(v.signals) as s (one)
      where s.one ->> 'signal' = $${params.push(signal)})`);
  }
  if (below !== null) conditions.push(`v.number < $${params.push(below)}`);
  const rows = await db.query<StoredReview>(
    `select ${REVIEW} from risk_reviews v where ${conditions.join(' and ')}
     order by v.number desc limit $2`,
    params,
  );
  return rows.map(toRow);
}

/** At most `limit` are counted. */
export async function countOpen(db: Queryable, projectId: string, limit: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::integer as count from (select 1 from risk_reviews
       where project_id = $1 and status = 'open' limit $2) as open`,
    [projectId, limit],
  );
  return row?.count ?? 0;
}

/** Decided reviews of which some Rewards are still held, of all Projects. */
export const listUnfinished = listRows<{ id: string; projectId: string }, [limit: number]>(
  `select id, project_id as "projectId" from risk_reviews where is_unfinished limit $1`,
);

/** Clears the notes about somebody, which may name them. */
export function clearNotes(tx: Tx, projectId: string, participantId: string): void {
  for (const side of ['referrer', 'referee']) {
    tx.send(
      `update risk_reviews set note = null
       where project_id = $1 and ${side}_participant_id = $2 and note is not null`,
      [projectId, participantId],
    );
  }
}
