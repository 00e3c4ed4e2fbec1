import type { Queryable } from '../../../platform/db/driver.ts';
import type { CursorPage } from '../../../platform/http/routes/paging.ts';
import { assertWorkspace } from '../../workspaces/assert-workspace.ts';
import type { Member } from '../schema.ts';
import { listMembers } from '../store.ts';

/** Newest first, one more than the page has. Ends with NOT_FOUND for a Workspace that is not there. */
export async function listTeam(
  source: Queryable,
  workspaceId: string,
  page: CursorPage,
): Promise<Member[]> {
  await assertWorkspace(source, workspaceId);
  return listMembers(source, workspaceId, page);
}
