import type { Tx } from '../db/database.ts';
import type { WriteRequest } from '../http/principal.ts';
import type { NewId } from '../kit/ids.ts';
import type { Instant } from '../kit/instant.ts';
import { type AuditNote, insertAuditEntry } from './store.ts';

/**
 * Adds to the audit log in the transaction of what it tells of. Who did something when is a
 * matter of the real time: in a Project whose clock was moved, `now` is not that.
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
  insertAuditEntry(write.tx, write.newId('aud'), write.realNow ?? write.now, request, note);
}
