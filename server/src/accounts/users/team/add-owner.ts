import type { Tx } from '../../../platform/db/database.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { insertMembership } from '../store.ts';

export function addOwner(tx: Tx, workspaceId: string, userId: string, now: Instant): void {
  insertMembership(tx, { workspaceId, role: 'owner' }, userId, now);
}
