import type { Tx } from '../../../platform/db/database.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { recordAudit } from '../audit-log.ts';
import type { RestoreRow } from './restore.ts';
import {
  insertRestore,
  listWorkspaceIds,
  lockOpen,
  updateReleased,
  updateSince,
} from './restore-store.ts';

export interface Declaration extends Pick<RestoreRow, 'cause' | 'since' | 'note'> {
  readonly now: Instant;
}

interface WriteContext {
  readonly tx: Tx;
  readonly newId: NewId;
}

/**
 * Records that the store of a Workspace was restored. While an earlier restore is open, that one
 * takes the earlier of both times. Returns its id, and whether there is anything new to ask.
 */
export async function declareRestore(
  { tx, newId }: WriteContext,
  request: WriteRequest,
  { cause, since, note, now }: Declaration,
): Promise<{ readonly id: string; readonly isNews: boolean }> {
  const { workspaceId } = request;
  const open = await lockOpen(tx, workspaceId);
  if (open && open.since <= since) return { id: open.id, isNews: false };
  const id = open?.id ?? newId('rst');
  if (open) updateSince(tx, id, since);
  else {
    const { type, id: actorId } = request.actor;
    const row = { id, workspaceId, cause, since, note, declaredBy: `${type}:${actorId}` };
    insertRestore(tx, { ...row, createdAt: now, releasedAt: null, releasedBy: null });
  }
  recordAudit({ tx, now, newId }, request, {
    action: 'restore.declare',
    targetType: 'restore',
    targetId: id,
    changes: { cause, since, note },
    ...(open ? { before: { since: open.since } } : {}),
  });
  return { id, isNews: true };
}

/** The same for every Workspace, in the name of the service; returns the ids. */
export async function declareEverywhere(
  { tx, newId }: WriteContext,
  declaration: Declaration,
): Promise<string[]> {
  const ids: string[] = [];
  for (const workspaceId of await listWorkspaceIds(tx)) {
    const request: WriteRequest = {
      workspaceId,
      projectId: '',
      actor: { type: 'system', id: 'restores' },
      requestId: newId('req'),
      ip: null,
      idempotency: null,
    };
    ids.push((await declareRestore({ tx, newId }, request, declaration)).id);
  }
  return ids;
}

/** From now on the Workspace pays again. The caller has checked that it may. */
export function endRestore(
  { tx, newId }: WriteContext,
  request: WriteRequest,
  { id, now, changes }: { readonly id: string; readonly now: Instant; readonly changes: object },
): void {
  const { type, id: actorId } = request.actor;
  updateReleased(tx, id, now, `${type}:${actorId}`);
  recordAudit({ tx, now, newId }, request, {
    action: 'restore.release',
    targetType: 'restore',
    targetId: id,
    changes: { ...changes },
  });
}
