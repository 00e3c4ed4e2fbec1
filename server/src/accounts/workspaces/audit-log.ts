import type { Database, Tx } from '../../platform/db/database.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import type { CursorPage } from '../../platform/http/routes/paging.ts';
import type { NewId } from '../../platform/kit/ids.ts';
import { type Instant, parseInstant } from '../../platform/kit/instant.ts';
import {
  type AuditNote,
  clearAuditReasons,
  deleteOldAuditEntries,
  insertAuditEntry,
  insertOwnAuditEntry,
  listAuditEntries,
  listProjectsWithOldAudit,
} from './audit-store.ts';
import { assertWorkspace } from './queries.ts';
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

/** The same for an action of the service itself in a Project; `part` names the component. */
export function recordOwnAudit(
  write: {
    readonly tx: Tx;
    readonly projectId: string;
    readonly realNow: Instant;
    readonly newId: NewId;
  },
  part: string,
  note: AuditNote,
): void {
  const { tx, projectId, realNow, newId } = write;
  insertOwnAuditEntry(
    tx,
    { id: newId('aud'), requestId: newId('req'), projectId, part },
    realNow,
    note,
  );
}

/** Newest first, one more than the page size. Fails with NOT_FOUND for an unknown Workspace. */
export async function listAudit(
  db: Queryable,
  query: Omit<ListAudit, 'limit' | 'cursor'>,
  page: CursorPage,
): Promise<AuditEntry[]> {
  await assertWorkspace(db, query.workspaceId);
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

/** Removes free text about an erased person from the audit log; the entries stay. */
export function forgetReasons(tx: Tx, workspaceId: string, targetId: string): void {
  clearAuditReasons(tx, workspaceId, targetId);
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
