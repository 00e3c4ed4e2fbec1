import type { Database } from '../../../platform/db/database.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { conflict, notFound } from '../../../platform/kit/errors.ts';
import { updateEvents } from '../batch/fact-store.ts';
import type { Event } from '../event-schema.ts';
import { presentEvent } from '../read/present-event.ts';
import { findEvent } from '../read/read-store.ts';
import { type DecideDeps, settleDue } from './settle-due.ts';

/**
 * Retries at once an Event whose decision failed, finally or with a retry scheduled. Fails with
 * NOT_FOUND, or with CONFLICT for any other Event.
 */
export async function retryEvent(
  deps: DecideDeps & { readonly database: Database },
  request: WriteRequest,
  eventId: string,
): Promise<Event> {
  const participantId = await deps.writer.run(request, async ({ tx, projectId, now }) => {
    const event = await findEvent(tx, projectId, eventId);
    if (!event) throw notFound('event');
    const isWaiting = event.processingReason === 'retry_scheduled';
    if (event.processingState !== 'failed' && !isWaiting) {
      throw conflict(
        'invalid_transition',
        `Only an Event whose deciding failed can be retried: this one is ${event.processingState}.`,
      );
    }
    updateEvents(tx, projectId, now, [
      {
        ...event,
        processingState: 'pending',
        processingReason: 'retry_scheduled',
        nextAttemptAt: now,
      },
    ]);
    return { answer: event.participantId, participantId: event.participantId };
  });
  await settleDue(deps, { ...request, idempotency: null }, participantId);
  const event = await findEvent(deps.database.reads, request.projectId, eventId);
  if (!event) throw notFound('event');
  return presentEvent(event);
}
