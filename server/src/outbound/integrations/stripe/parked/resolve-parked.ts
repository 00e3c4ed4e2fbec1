import { recordAudit } from '../../../../accounts/workspaces/audit/record-audit.ts';
import type { ParticipantRef } from '../../../../domain/participants/schema.ts';
import type { WriteRequest } from '../../../../platform/http/access/principal.ts';
import { conflict, notFound } from '../../../../platform/kit/errors.ts';
import { findConnectionById } from '../connections/connection-store.ts';
import { deleteParked, findParked } from '../events/event-store.ts';
import { handleFact } from '../events/handle-fact.ts';
import { wake } from '../events/take-event.ts';
import type { StripeDeps } from '../stripe-deps.ts';
import type { ParkedRow } from './parked.ts';

/**
 * Handles a parked event as one about this participant and returns the row as it was before. Throws
 * NOT_FOUND, CONFLICT `invalid_transition` if the event does not wait for a person, or what
 * handling the fact throws.
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
    const handled = await handleFact({ deps, write, connection, person }, row.told);
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
