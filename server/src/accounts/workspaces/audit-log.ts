import type { Database, Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import { ownRequest, type WriteRequest } from '../../platform/http/access/principal.ts';
import type { CursorPage } from '../../platform/http/routes/paging.ts';
import { noSuch } from '../../platform/kit/errors.ts';
import type { NewId } from '../../platform/kit/ids.ts';
import { type Instant, parseInstant } from '../../platform/kit/instant.ts';
import {
  type AuditNote,
  clearAuditReasons,
  deleteOldAuditEntries,
  insertAuditEntry,
  listAuditEntries,
  listProjectsWithOldAudit,
} from './audit-store.ts';
import { assertWorkspace, findProjectRef } from './queries.ts';
import type { AuditEntry, ListAudit } from './schema.ts';

/**
 * Adds to the audit log in the transaction of the change. The log uses real time: in a Project
 * whose clock was moved, `now` is different.
 */
export function recordAudit(
  write: {
    readonly tx: Tx;
    readonly now: Instant;
    readonly realNow?: Instant;
    readonly newId: NewId;
  },
  request: WriteRequest,
  note: AuditNote,
): void {
  const { tx, now, realNow, newId } = write;
  insertAuditEntry(tx, { id: newId('aud'), at: realNow ?? now }, request, note);
}

/** The same for actions of the service itself in a Project; `part` names the component. */
export async function recordOwnAudit(
  write: {
    readonly tx: Tx;
    readonly projectId: string;
    readonly realNow: Instant;
    readonly newId: NewId;
  },
  part: string,
  notes: readonly AuditNote[],
): Promise<void> {
  const { tx, projectId, realNow: at, newId } = write;
  if (notes.length === 0) return;
  const project = await findProjectRef(tx, projectId);
  if (!project) throw new Error(`Project ${projectId} does not exist.`);
  const request = {
    ...ownRequest(projectId, part, newId('req')),
    workspaceId: project.workspaceId,
  };
  for (const note of notes) insertAuditEntry(tx, { id: newId('aud'), at }, request, note);
}

/**
 * Newest first, one more than the page size. Fails with NOT_FOUND for an unknown Workspace, and for a Project of
 * another one.
 */
export async function listAudit(
  db: Queryable,
  query: Omit<ListAudit, 'limit' | 'cursor'>,
  page: CursorPage,
): Promise<AuditEntry[]> {
  await assertWorkspace(db, query.workspaceId);
  if (query.projectId !== undefined) {
    const project = await findProjectRef(db, query.projectId);
    if (project?.workspaceId !== query.workspaceId) throw noSuch('project');
  }
  const filter = {
    targetId: query.targetId ?? null,
    actorId: query.actorId ?? null,
    action: query.action ?? null,
    projectId: query.projectId ?? null,
    targetType: query.targetType ?? null,
    actorType: query.actorType ?? null,
    from: parseInstant(query.from ?? '') ?? null,
    to: parseInstant(query.to ?? '') ?? null,
  };
  return listAuditEntries(db, query.workspaceId, filter, page);
}

/** Removes free text about somebody who was erased from the entries of a Workspace that name no Project. */
export function forgetReasons(tx: Tx, workspaceId: string, targetId: string): void {
  clearAuditReasons(tx, '', workspaceId, targetId);
}

/** Deletes at most `limit` entries from before `before` in each Project; returns how many. */
export async function purgeAudit(
  database: Database,
  before: Instant,
  limit: number,
): Promise<number> {
  let deleted = 0;
  for (const projectId of await listProjectsWithOldAudit(database.reads, before)) {
    deleted += await database.transaction((tx) =>
      deleteOldAuditEntries(tx, projectId, before, limit),
    );
  }
  return deleted;
}
