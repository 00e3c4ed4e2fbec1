import type { Tx } from '../db/database.ts';
import type { Instant } from '../kit/instant.ts';
import { insertHead } from './store.ts';

/** Gives a new Project its head, in the transaction that makes it. */
export function openFeed(tx: Tx, projectId: string, now: Instant): Promise<void> {
  return insertHead(tx, projectId, now);
}
