import type { Queryable } from '../../platform/db/driver.ts';
import { findRow } from '../../platform/db/statements.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { StoredLists } from './lists/stored-lists.ts';

const findListsRow = findRow<
  { readonly lists: StoredLists; readonly updatedAt: Instant },
  [projectId: string]
>(`select lists, updated_at as "updatedAt" from risk_lists where project_id = $1`);

/** Undefined before somebody saved some. */
export function findLists(db: Queryable, projectId: string) {
  return findListsRow(db, projectId);
}
