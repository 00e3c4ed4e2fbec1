import type { Queryable } from '../../../platform/db/driver.ts';
import { conflict } from '../../../platform/kit/errors.ts';
import { isOnHold } from './restore-queries.ts';

/** Fails with CONFLICT `store_restored` while a Workspace pays nothing. */
export async function assertPays(db: Queryable, workspaceId: string): Promise<void> {
  if (!(await isOnHold(db, workspaceId))) return;
  throw conflict(
    'store_restored',
    'This store was restored from an earlier state. Nothing is paid until the providers have been asked and the restore is released.',
  );
}
