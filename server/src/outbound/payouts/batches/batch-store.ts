import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { findRow } from '../../../platform/db/statements.ts';
import type { CursorPage } from '../../../platform/http/routes/paging.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { PayoutSettings } from '../schema.ts';
import type { BatchRow, ProjectPlace } from '../transfers/payout.ts';

const BATCH = `id, workspace_id as "workspaceId", environment, project_ids as "projectIds", method,
  currency, cutoff_at as "cutoffAt", status, totals, created_by as "createdBy",
  created_at as "createdAt", updated_at as "updatedAt", approved_by as "approvedBy",
  approved_at as "approvedAt", submitted_at as "submittedAt", cancelled_at as "cancelledAt",
  failure_reason as "failureReason"`;

type Settings = Pick<PayoutSettings, 'minimums' | 'requireSecondApprover'>;

export async function findSettings(db: Queryable, workspaceId: string): Promise<Settings> {
  const [row] = await db.query<Settings>(
    `select minimums, requires_second_approver as "requireSecondApprover" from payout_settings
     where workspace_id = $1`,
    [workspaceId],
  );
  return row ?? { minimums: {}, requireSecondApprover: false };
}

/** Null leaves a value unchanged. */
export function upsertSettings(
  tx: Tx,
  workspaceId: string,
  { minimums, requireSecondApprover }: { [K in keyof Settings]: Settings[K] | null },
  now: Instant,
): void {
  tx.send(
    `insert into payout_settings as s (workspace_id, minimums, requires_second_approver, updated_at)
     values ($1, coalesce($2::jsonb, '{}'), coalesce($3::boolean, false), $4)
     on conflict (workspace_id) do update
     set minimums = coalesce($2::jsonb, s.minimums),
       requires_second_approver = coalesce($3::boolean, s.requires_second_approver),
       updated_at = excluded.updated_at`,
    [workspaceId, minimums === null ? null : JSON.stringify(minimums), requireSecondApprover, now],
  );
}

export function insertBatch(tx: Tx, batch: BatchRow): void {
  tx.send(
    `insert into payout_batches (id, workspace_id, environment, project_ids, method, currency,
       cutoff_at, status, totals, created_by, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10, $11, $12)`,
    [
      batch.id,
      batch.workspaceId,
      batch.environment,
      batch.projectIds,
      batch.method,
      batch.currency,
      batch.cutoffAt,
      batch.status,
      JSON.stringify(batch.totals),
      batch.createdBy,
      batch.createdAt,
      batch.updatedAt,
    ],
  );
}

const BATCH_BY_ID = `select ${BATCH} from payout_batches where id = $1`;

export const findBatch = findRow<BatchRow, [batchId: string]>(BATCH_BY_ID);

/** Locks the batch until the transaction ends. */
export const lockBatch = findRow<BatchRow, [batchId: string], Tx>(
  `${BATCH_BY_ID} for no key update`,
);

/** The workspace's batches that include this project, newest first, one more than the page size. */
export function listBatches(
  db: Queryable,
  place: ProjectPlace,
  status: string | null,
  page: CursorPage,
): Promise<BatchRow[]> {
  return db.query<BatchRow>(
    `select ${BATCH} from payout_batches
     where workspace_id = $1 and environment = $2 and $3 = any(project_ids)
       and ($4::text is null or status = $4) and ($5::text is null or id < $5)
     order by id desc limit $6`,
    [place.workspaceId, place.environment, place.id, status, page.beforeId, page.limit + 1],
  );
}

/** Batches made until `until` that somebody may have paid from their file since, newest first. */
export function listUnsettledFiles(
  db: Queryable,
  workspaceId: string,
  until: Instant,
  limit: number,
): Promise<BatchRow[]> {
  return db.query(
    `select ${BATCH} from payout_batches b
     where workspace_id = $1 and method = 'manual_export' and created_at <= $2
       and (status in ('draft', 'approving', 'approved') or status in ('submitting', 'submitted')
         and exists (select 1 from payouts p where p.batch_id = b.id and p.status = 'processing'))
     order by id desc limit $3`,
    [workspaceId, until, limit],
  );
}

/** The number of drafts and of approved batches; counts stop at `most`. */
export async function countUndecided(db: Queryable, place: ProjectPlace, most: number) {
  const count = (status: string) =>
    `(select count(*)::integer from (select 1 from payout_batches
      where workspace_id = $1 and environment = $2 and $3 = any(project_ids)
        and status in ('draft', 'approved') and status = '${status}' limit $4) as found)`;
  const [row] = await db.query<{ draft: number; approved: number }>(
    `select ${count('draft')} as draft, ${count('approved')} as approved`,
    [place.workspaceId, place.environment, place.id, most],
  );
  return row ?? { draft: 0, approved: 0 };
}

/** Saves the columns that can change. */
export function updateBatch(tx: Tx, batch: BatchRow): void {
  tx.send(
    `update payout_batches set status = $2, totals = $3::jsonb, updated_at = $4, approved_by = $5,
       approved_at = $6, submitted_at = $7, cancelled_at = $8, failure_reason = $9
     where id = $1`,
    [
      batch.id,
      batch.status,
      JSON.stringify(batch.totals),
      batch.updatedAt,
      batch.approvedBy,
      batch.approvedAt,
      batch.submittedAt,
      batch.cancelledAt,
      batch.failureReason,
    ],
  );
}

/** Batches in a move that nothing has advanced since. */
export function listStuckBatches(db: Queryable, before: Instant, limit: number) {
  return db.query<BatchRow>(
    `select ${BATCH} from payout_batches
     where status in ('reserving', 'approving', 'submitting', 'cancelling') and updated_at <= $1
     order by updated_at, id limit $2`,
    [before, limit],
  );
}
