import type { Tx } from '../../../platform/db/database.ts';
import { findRow, sendWrite } from '../../../platform/db/statements.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { MailState } from '../kinds.ts';
import type { Bounce } from './decide-bounce.ts';

export interface BouncedMail {
  readonly id: string;
  readonly recipientId: string;
  readonly state: MailState;
  readonly bounce: Bounce | null;
  /** Null if an earlier version sent it. */
  readonly addressHash: string | null;
}

export const lockMail = findRow<BouncedMail, [projectId: string, id: string], Tx>(
  `select id, recipient_id as "recipientId", state, bounce, address_hash as "addressHash"
   from mails where project_id = $1 and id = $2 for update`,
);

export function updateBounced(
  tx: Tx,
  projectId: string,
  id: string,
  change: { readonly state: MailState; readonly bounce: Bounce; readonly now: Instant },
): void {
  saveBounced(tx, projectId, id, change.state, JSON.stringify(change.bounce), change.now);
}

const saveBounced = sendWrite<[string, string, MailState, string, Instant]>(
  `update mails set state = $3, reason = 'reported_later', bounce = $4::jsonb, due_at = null,
     updated_at = $5
   where project_id = $1 and id = $2`,
);
