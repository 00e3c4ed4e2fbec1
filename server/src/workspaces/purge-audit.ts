import type { Queryable } from '../db/driver.ts';
import type { Instant } from '../kit/instant.ts';
import { deleteOldAuditEntries } from './store.ts';

/** Deletes at most `limit` entries of before `before`; returns how many. */
export function purgeAudit(source: Queryable, before: Instant, limit: number): Promise<number> {
  return deleteOldAuditEntries(source, before, limit);
}
