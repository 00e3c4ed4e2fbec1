import { assertWorkspace, findProjectIds } from '../../accounts/workspaces/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import { findRow, listRows, listValues } from '../../platform/db/statements.ts';
import type { Environment } from '../../platform/http/access/principal.ts';
import type { CursorPage } from '../../platform/http/routes/paging.ts';
import { AppError } from '../../platform/kit/errors.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import { findPartnerParticipants } from '../participants/queries.ts';
import { PARTNER, type PartnerRow, ROW } from './partner-store.ts';
import type { ListPartners, Partner, PartnerDetail, PartnerStatus } from './schema.ts';
import { type ApplicationRow, findApplication } from './store.ts';

export function findApplicationState(
  db: Queryable,
  projectId: string,
  applicationId: string,
): Promise<Pick<ApplicationRow, 'id' | 'name' | 'status'> | undefined> {
  return findApplication(db, projectId, applicationId);
}

/** Newest first, one more than the page size. Fails with NOT_FOUND for an unknown Workspace. */
export async function showPartners(
  db: Queryable,
  { workspaceId, environment, status }: Omit<ListPartners, 'limit' | 'cursor'>,
  page: CursorPage,
): Promise<Partner[]> {
  if (workspaceId !== undefined) await assertWorkspace(db, workspaceId);
  const filter = {
    workspaceId: workspaceId ?? null,
    environment: environment ?? null,
    status: status ?? null,
  };
  return listPartners(db, filter, page);
}

/** Includes its participant in each Project. Fails with NOT_FOUND. */
export async function showPartner(
  { database: { reads } }: { readonly database: Pick<Database, 'reads'> },
  partnerId: string,
): Promise<PartnerDetail> {
  const row = await findPartner(reads, partnerId);
  if (!row) throw new AppError('NOT_FOUND', 'No such partner.');
  const { statusNumber: _, isCopied: __, ...partner } = row;
  const projectIds = await findProjectIds(reads, partner.workspaceId, partner.environment);
  const participants = await findPartnerParticipants(reads, projectIds, partnerId);
  return { ...partner, participants };
}

/** Undefined for an unknown Partner. */
export async function findPartnerWorkspace(
  db: Queryable,
  partnerId: string,
): Promise<string | undefined> {
  return (await findPartner(db, partnerId))?.workspaceId;
}

/** Undefined for an unknown Partner. */
export async function findPartnerPlace(
  db: Queryable,
  partnerId: string,
): Promise<Pick<Partner, 'workspaceId' | 'environment'> | undefined> {
  return findPartner(db, partnerId);
}

/** Null for an unknown or erased Partner. */
export async function findPartnerName(db: Queryable, partnerId: string): Promise<string | null> {
  const partner = await findPartner(db, partnerId);
  return partner && partner.erasedAt === null ? partner.name : null;
}

/** Names of these Partners by id; erased ones have none. */
export async function findPartnerNames(
  db: Queryable,
  partnerIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(partnerIds)];
  const rows = ids.length === 0 ? [] : await listNames(db, ids);
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
}

/** Those of these Partners that are suspended. */
export async function findSuspended(
  db: Queryable,
  partnerIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(partnerIds)];
  return new Set(ids.length === 0 ? [] : await listSuspended(db, ids));
}

/** The addresses of those of these Partners who are active. */
export async function findPartnerEmails(
  db: Queryable,
  partnerIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(partnerIds)];
  const rows = ids.length === 0 ? [] : await listActiveEmails(db, ids);
  return new Map(rows.flatMap(({ id, email }) => (email === null ? [] : [[id, email] as const])));
}

export const findPartner = findRow<PartnerRow, [partnerId: string]>(
  `select ${ROW} from partners where id = $1`,
);

interface PartnerFilter {
  readonly workspaceId: string | null;
  readonly environment: Environment | null;
  readonly status: PartnerStatus | null;
}

/** Each filter has its own statement, and so its own plan over its own index. */
function listPartners(db: Queryable, filter: PartnerFilter, page: CursorPage): Promise<Partner[]> {
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

/** Partners whose status changed before `before` and may not have reached every Project. */
export const listUncopied = listValues<
  string,
  [before: Instant, limit: number]
>(`select id from partners where not is_copied and updated_at <= $1
     order by updated_at, id limit $2`);

const listNames = listRows<
  { id: string; name: string | null },
  [partnerIds: readonly string[]]
>(`select p.id, p.name from unnest($1::text[]) as asked (asked_id)
     cross join lateral (select id, name from partners where id = asked_id offset 0) as p`);

const listActiveEmails = listRows<
  { id: string; email: string | null },
  [partnerIds: readonly string[]]
>(`select p.id, p.email from unnest($1::text[]) as asked (asked_id)
     cross join lateral (select id, email, status from partners where id = asked_id offset 0) as p
     where p.status = 'active'`);

/** Those of these that are suspended. */
const listSuspended = listValues<
  string,
  [partnerIds: readonly string[]]
>(`select p.id from unnest($1::text[]) as asked (asked_id)
     cross join lateral (select id, status from partners where id = asked_id offset 0) as p
     where p.status = 'suspended'`);

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

/** Number of proven applications that wait for a decision; at most `most`. */
export async function countWaitingApplications(
  db: Queryable,
  projectId: string,
  most: number,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::integer as count from (select 1 from partner_applications
     where project_id = $1 and status = 'pending' and email_verified_at is not null
     limit $2) as found`,
    [projectId, most],
  );
  return row?.count ?? 0;
}
