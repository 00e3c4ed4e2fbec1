import type { Queryable } from '../../../platform/db/driver.ts';
import type { CursorPage } from '../../../platform/http/routes/paging.ts';
import { assertWorkspace } from '../queries.ts';
import type { ApiKey, ListApiKeys } from '../schema.ts';
import { listApiKeys } from '../store.ts';

/** Newest first, one more than the page size. Fails with NOT_FOUND for an unknown Workspace. */
export async function listKeys(
  db: Queryable,
  { workspaceId, environment }: Omit<ListApiKeys, 'limit' | 'cursor'>,
  page: CursorPage,
): Promise<ApiKey[]> {
  await assertWorkspace(db, workspaceId);
  return listApiKeys(db, workspaceId, environment ?? null, page);
}
