import type { WriteRequest } from '../../http/principal.ts';
import { conflict, notFound } from '../../kit/errors.ts';
import type { ParticipantRef } from '../../participants/schema.ts';
import { recordAudit } from '../../workspaces/record-audit.ts';
import { findConnectionById } from './connection-store.ts';
import { deleteParked, findParked } from './event-store.ts';
import { handleTold } from './handle-told.ts';
import type { ParkedRow } from './parked.ts';
import type { StripeDeps } from './stripe-deps.ts';
import { wake } from './take-event.ts';

/**
 * Handles a parked event as one about this participant; returns it as it was. Ends with NOT_FOUND,
 * with CONFLICT `invalid_transition` for one that waits for no person, or as the fact itself.
 */
export function resolveParked(
  deps: StripeDeps,
  request: WriteRequest,
  id: string,
  person: ParticipantRef,
): Promise<ParkedRow> {
  return deps.writer.run(request, async (write) => {
    const { tx, projectId } = write;
    const row = await findParked(tx, projectId, id);
    const connection = row && (await findConnectionById(tx, projectId, row.connectionId));
    if (!row || !connection) throw notFound('parked event');
    if (row.reason !== 'unknown_customer') {
      throw conflict(
        'invalid_transition',
        'This event waits for another one, not for a participant.',
      );
    }
    const handled = await handleTold({ deps, write, connection, person }, row.told);
    if (handled.state === 'ignored' && handled.refusal) throw handled.refusal;
    deleteParked(tx, projectId, id);
    wake(write, handled);
    recordAudit(write, request, {
      action: 'stripe_parked.resolve',
      targetType: 'stripe_parked',
      targetId: id,
      changes: { eventId: row.eventId },
    });
    return { answer: row };
  });
}
