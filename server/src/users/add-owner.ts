import type { Tx } from '../db/database.ts';
import type { Instant } from '../kit/instant.ts';
import { insertMembership } from './store.ts';

export function addOwner(tx: Tx, workspaceId: string, userId: string, now: Instant): void {
  insertMembership(tx, { workspaceId, role: 'owner' }, userId, now);
}
