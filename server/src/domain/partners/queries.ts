import { assertWorkspace, findProjectIds } from '../../accounts/workspaces/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import type { CursorPage } from '../../platform/http/routes/paging.ts';
import { AppError } from '../../platform/kit/errors.ts';
import { findPartnerParticipants } from '../participants/enrollments/queries.ts';
import { findPartner, listNames, listPartners, listSuspended } from './partner-store.ts';
import type { ListPartners, Partner, PartnerDetail } from './schema.ts';
import { type ApplicationRow, countToDecide, findApplication } from './store.ts';

/** Number of applications that can be decided; counts at most `most`. */
export function countWaitingApplications(
  db: Queryable,
  projectId: string,
  most: number,
): Promise<number> {
  return countToDecide(db, projectId, most);
}

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
