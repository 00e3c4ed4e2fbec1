import type { Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import type { Environment } from '../../platform/http/access/principal.ts';
import type { CursorPage } from '../../platform/http/routes/paging.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { Partner, PartnerStatus } from './schema.ts';
import type { ApplicationRow } from './store.ts';

const PARTNER = `id, workspace_id as "workspaceId", environment, name, email,
  email_verified_at as "emailVerifiedAt", profile_type as "profileType", country, status,
  suspended_at as "suspendedAt", suspension_reason as "suspensionReason",
  created_at as "createdAt", updated_at as "updatedAt", erased_at as "erasedAt"`;

export interface PartnerRow extends Partner {
  /** How often the status changed. */
  readonly statusNumber: number;
  /** Whether the current status was copied to every Project. */
  readonly isCopied: boolean;
}
const ROW = `${PARTNER}, status_number as "statusNumber", is_copied as "isCopied"`;

export async function findPartner(
  db: Queryable,
  partnerId: string,
): Promise<PartnerRow | undefined> {
  const [row] = await db.query<PartnerRow>(`select ${ROW} from partners where id = $1`, [
    partnerId,
  ]);
  return row;
}

export interface PartnerFilter {
  readonly workspaceId: string | null;
  readonly environment: Environment | null;
  readonly status: PartnerStatus | null;
}

/** Each filter has its own statement, and so its own plan over its own index. */
export function listPartners(
  db: Queryable,
  filter: PartnerFilter,
  page: CursorPage,
): Promise<Partner[]> {
  const params: unknown[] = [];
  const bind = (value: unknown) => `$${params.push(value)}`;
  const where: string[] = [];
  if (filter.workspaceId !== null) where.push(`workspace_id = ${bind(filter.workspaceId)}`);
  if (filter.environment !== null) where.push(`environment = ${bind(filter.environment)}`);
  if (filter.status !== null) where.push(`status = ${bind(filter.status)}`);
  if (page.beforeId !== null) where.push(`id < ${bind(page.beforeId)}`);
  const conditions = where.length === 0 ? '' : `where ${where.join(' and ')}`;
  return db.query<Partner>(
    `select ${PARTNER} from partners ${conditions}
     order by id desc limit ${bind(page.limit + 1)}`,
    params,
  );
}

export async function lockPartnerRow(tx: Tx, partnerId: string): Promise<PartnerRow | undefined> {
  const [row] = await tx.query<PartnerRow>(
    `select ${ROW} from partners where id = $1 for no key update`,
    [partnerId],
  );
  return row;
}

/** Afterwards the status must be copied to every Project. */
export function updateStatus(tx: Tx, partner: PartnerRow): void {
  tx.send(
    `update partners set status = $2, suspended_at = $3, suspension_reason = $4, updated_at = $5,
       status_number = $6, is_copied = false
     where id = $1`,
    [
      partner.id,
      partner.status,
      partner.suspendedAt,
      partner.suspensionReason,
      partner.updatedAt,
      partner.statusNumber,
    ],
  );
}

/** Does nothing if the status has changed again since. */
export function updateCopied(tx: Tx, partnerId: string, statusNumber: number): void {
  tx.send('update partners set is_copied = true where id = $1 and status_number = $2', [
    partnerId,
    statusNumber,
  ]);
}

/** Partners whose status changed before `before` and may not have reached every Project. */
export async function listUncopied(
  db: Queryable,
  before: Instant,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from partners where not is_copied and updated_at <= $1
     order by updated_at, id limit $2`,
    [before, limit],
  );
  return rows.map(({ id }) => id);
}

export function listNames(
  db: Queryable,
  partnerIds: readonly string[],
): Promise<{ id: string; name: string | null }[]> {
  return db.query(
    `select p.id, p.name from unnest($1::text[]) as asked (asked_id)
     cross join lateral (select id, name from partners where id = asked_id offset 0) as p`,
    [partnerIds],
  );
}

/** Those of these that are suspended. */
export async function listSuspended(
  db: Queryable,
  partnerIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select p.id from unnest($1::text[]) as asked (asked_id)
     cross join lateral (select id, status from partners where id = asked_id offset 0) as p
     where p.status = 'suspended'`,
    [partnerIds],
  );
  return rows.map(({ id }) => id);
}

export type PartnerStanding = Pick<Partner, 'id' | 'status'>;

interface NewPartner {
  readonly id: string;
  readonly workspaceId: string;
  readonly environment: string;
  readonly emailKey: string;
  readonly application: ApplicationRow;
  readonly now: Instant;
}

/** The Partner of a Workspace, environment and proven e-mail; created if there is none. */
export async function findOrInsertPartner(tx: Tx, partner: NewPartner): Promise<PartnerStanding> {
  const { application } = partner;
  // An update without changes locks the existing row, so that it cannot be erased before it is
  // read.
  const [row] = await tx.query<PartnerStanding>(
    `insert into partners (id, workspace_id, environment, name, email, email_key,
       email_verified_at, profile_type, country, status, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'active', $10, $10)
     on conflict (workspace_id, environment, email_key)
       do update set email_key = excluded.email_key
     returning id, status`,
    [
      partner.id,
      partner.workspaceId,
      partner.environment,
      application.name,
      application.email,
      partner.emailKey,
      application.emailVerifiedAt,
      application.profileType,
      application.country,
      partner.now,
    ],
  );
  if (!row) throw new Error('A partner that was just saved is not there.');
  return row;
}

/** Prevents changes to the Partner until the transaction ends; undefined if it was erased. */
export async function shareLockPartner(
  tx: Tx,
  partnerId: string,
): Promise<PartnerStanding | undefined> {
  const [row] = await tx.query<PartnerStanding>(
    'select id, status from partners where id = $1 and erased_at is null for share',
    [partnerId],
  );
  return row;
}

/** The Partner of a proven address, if there is one. */
export async function findPartnerId(
  db: Queryable,
  workspaceId: string,
  environment: string,
  emailKey: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(
    `select id from partners
     where workspace_id = $1 and environment = $2 and email_key = $3`,
    [workspaceId, environment, emailKey],
  );
  return row?.id;
}

interface PartnerParticipant {
  readonly workspaceId: string;
  readonly environment: Environment;
}

/** Undefined for a Partner that does not exist or was erased. */
export async function lockPartner(
  tx: Tx,
  partnerId: string,
): Promise<PartnerParticipant | undefined> {
  const [row] = await tx.query<PartnerParticipant>(
    `select workspace_id as "workspaceId", environment from partners
     where id = $1 and erased_at is null for update`,
    [partnerId],
  );
  return row;
}

export function blankPartner(tx: Tx, partnerId: string, emailKey: string, now: Instant): void {
  tx.send(
    `update partners
     set name = null, email = null, country = null, suspension_reason = null, email_key = $2,
       erased_at = $3, updated_at = $3
     where id = $1`,
    [partnerId, emailKey, now],
  );
}
