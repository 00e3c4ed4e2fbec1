import type { Tx } from '../../../platform/db/database.ts';
import type { Queryable } from '../../../platform/db/driver.ts';
import { listValues } from '../../../platform/db/statements.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { Use } from './decide-details-change.ts';
import type { DetailsOwner, PayoutType } from './details.ts';
import type { SealedDetails } from './seal-details.ts';

export interface DetailsRow extends Use, SealedDetails {
  readonly ownerId: string;
  readonly type: PayoutType;
  readonly label: string;
  readonly country: string | null;
  readonly currency: string | null;
  readonly fingerprint: string;
  readonly savedAt: Instant;
}

/** All records of these owners, each owner's in order of first use. */
export function listDetails(
  db: Queryable,
  projectId: string,
  kind: DetailsOwner['kind'],
  ownerIds: readonly string[],
): Promise<DetailsRow[]> {
  return db.query<DetailsRow>(
    `select owner_id as "ownerId", id, type, label, country, currency, fingerprint, sealed,
       wrapped_key as "wrappedKey", saved_at as "savedAt", used_from as "usedFrom",
       used_until as "usedUntil", failed_at as "failedAt"
     from unnest($3::text[]) as asked (asked_id)
     cross join lateral (select * from payout_details d
       where d.project_id = $1 and d.owner_kind = $2 and d.owner_id = asked_id offset 0) as details
     order by owner_id, used_from`,
    [projectId, kind, ownerIds],
  );
}

const keyOf = ({ projectId, kind, id }: DetailsOwner) => [projectId, kind, id];

export function insertDetails(tx: Tx, owner: DetailsOwner, row: Omit<DetailsRow, 'ownerId'>): void {
  tx.send(
    `insert into payout_details (project_id, owner_kind, owner_id, id, type, label, country,
       currency, fingerprint, sealed, wrapped_key, saved_at, used_from, used_until, failed_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      ...keyOf(owner),
      row.id,
      row.type,
      row.label,
      row.country,
      row.currency,
      row.fingerprint,
      row.sealed,
      row.wrappedKey,
      row.savedAt,
      row.usedFrom,
      row.usedUntil,
      row.failedAt,
    ],
  );
}

export function updateUse(
  tx: Tx,
  owner: DetailsOwner,
  use: Pick<Use, 'id' | 'usedUntil' | 'failedAt'>,
): void {
  tx.send(
    `update payout_details set used_until = $5, failed_at = $6
     where project_id = $1 and owner_kind = $2 and owner_id = $3 and id = $4`,
    [...keyOf(owner), use.id, use.usedUntil, use.failedAt],
  );
}

export function markFailed(tx: Tx, owner: DetailsOwner, id: string, at: Instant): void {
  tx.send(
    `update payout_details set failed_at = $5
     where project_id = $1 and owner_kind = $2 and owner_id = $3 and id = $4`,
    [...keyOf(owner), id, at],
  );
}

export function deleteDetails(tx: Tx, owner: DetailsOwner, ids: readonly string[]): void {
  tx.send(
    `delete from payout_details
     where project_id = $1 and owner_kind = $2 and owner_id = $3 and id = any($4::text[])`,
    [...keyOf(owner), ids],
  );
}

export function deleteDetailsOf(tx: Tx, owner: DetailsOwner): void {
  tx.send(
    'delete from payout_details where project_id = $1 and owner_kind = $2 and owner_id = $3',
    keyOf(owner),
  );
}

export async function listProjectsWithReplaced(db: Queryable, before: Instant): Promise<string[]> {
  const rows = await db.query<{ projectId: string }>(
    `select distinct project_id as "projectId" from payout_details
     where used_until is not null and used_until <= $1`,
    [before],
  );
  return rows.map(({ projectId }) => projectId);
}

export async function deleteReplaced(tx: Tx, projectId: string, before: Instant, limit: number) {
  const rows = await tx.query(
    `delete from payout_details where project_id = $1 and (owner_kind, owner_id, id) in
       (select owner_kind, owner_id, id from payout_details
        where project_id = $1 and used_until is not null and used_until <= $2 limit $3)
     returning 1`,
    [projectId, before, limit],
  );
  return rows.length;
}

/** Who is, or will be, paid to an account in a project; partners with an empty project id. */
export const listOwnersOf = listValues<string, [projectId: string, fingerprint: string]>(
  `select distinct owner_id from payout_details
   where project_id = $1 and fingerprint = $2
     and owner_kind = case when $1 = '' then 'partner' else 'participant' end`,
);
