import type { Tx } from '../db/database.ts';
import type { WriteRequest } from '../http/principal.ts';
import type { NewId } from '../kit/ids.ts';
import type { Instant } from '../kit/instant.ts';
import { type AuditNote, insertAuditEntry } from './store.ts';

/** Adds to the audit log in the transaction of what it tells of. */
export function recordAudit(
  write: { readonly tx: Tx; readonly now: Instant; readonly newId: NewId },
  request: WriteRequest,
  note: AuditNote,
): void {
  insertAuditEntry(write.tx, write.newId('aud'), write.now, request, note);
}
