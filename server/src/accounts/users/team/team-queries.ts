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
  source: Queryable,
  workspaceId: string,
  page: CursorPage,
): Promise<Member[]> {
  await assertWorkspace(source, workspaceId);
  return listMembers(source, workspaceId, page);
}

/** Newest first, one more than the page size. Fails with NOT_FOUND for an unknown Workspace. */
export async function showInvitations(
  source: Queryable,
  workspaceId: string,
  page: CursorPage,
  now: Instant,
): Promise<Invitation[]> {
  await assertWorkspace(source, workspaceId);
  const rows = await listInvitations(source, workspaceId, page);
  return rows.map((row) => toInvitation(row, now));
}
