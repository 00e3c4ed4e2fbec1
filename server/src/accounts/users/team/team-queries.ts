import type { Queryable } from '../../../platform/db/driver.ts';
import type { CursorPage } from '../../../platform/http/routes/paging.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { assertWorkspace } from '../../workspaces/queries.ts';
import type { Invitation, Member } from '../schema.ts';
import { listMembers } from '../store.ts';
import { listInvitations } from './invitation-store.ts';
import { toInvitation } from './invitations.ts';

/** Newest first, one more than the page size. Fails with NOT_FOUND for an unknown Workspace. */
export async function listTeam(
  db: Queryable,
  workspaceId: string,
  page: CursorPage,
): Promise<Member[]> {
  await assertWorkspace(db, workspaceId);
  return listMembers(db, workspaceId, page);
}

/** Newest first, one more than the page size. Fails with NOT_FOUND for an unknown Workspace. */
export async function showInvitations(
  db: Queryable,
  workspaceId: string,
  page: CursorPage,
  now: Instant,
): Promise<Invitation[]> {
  await assertWorkspace(db, workspaceId);
  const rows = await listInvitations(db, workspaceId, page);
  return rows.map((row) => toInvitation(row, now));
}
