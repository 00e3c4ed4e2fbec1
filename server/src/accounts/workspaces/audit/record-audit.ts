import type { Tx } from '../../../platform/db/database.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { type AuditNote, insertAuditEntry, insertOwnAuditEntry } from '../store.ts';

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
