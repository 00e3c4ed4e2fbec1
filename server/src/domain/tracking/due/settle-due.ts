import { isUnavailable } from '../../../platform/db/database.ts';
import type { ProjectWriter } from '../../../platform/feed/writer/writer.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { AppError } from '../../../platform/kit/errors.ts';
import type { Tracker } from '../batch/track-event.ts';
import { postponeEvent } from '../decide/decide-retry.ts';
import { listWaitingEvents, updateEvents } from '../store.ts';

export interface DecideDeps {
  readonly writer: ProjectWriter;
  readonly tracker: Tracker;
  /** Told why a decision failed that is tried again later. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/**
 * Decides what this person's purchases have waited for long enough. A fault of ours must not
 * stand before everybody else's: such Events are tried again later. Ends with what is the
 * database's trouble.
 */
export async function settleDue(
  deps: DecideDeps,
  request: WriteRequest,
  participantId: string,
): Promise<void> {
  try {
    await deps.tracker.decideDue(request, participantId);
  } catch (error) {
    if (isUnavailable(error) || isOverloaded(error)) throw error;
    deps.onFailure(error, request.requestId);
    await postpone(deps.writer, request, participantId);
  }
}

/** The queue is full: that says nothing about the Event. */
function isOverloaded(error: unknown): boolean {
  return error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE';
}

function postpone(
  writer: ProjectWriter,
  request: WriteRequest,
  participantId: string,
): Promise<null> {
  return writer.run(request, async ({ tx, projectId, now }) => {
    const waiting = await listWaitingEvents(tx, projectId, [participantId]);
    const due = waiting.filter(({ nextAttemptAt }) => (nextAttemptAt ?? '') <= now);
    if (due.length > 0) {
      updateEvents(
        tx,
        projectId,
        now,
        due.map((event) => postponeEvent(event, now)),
      );
    }
    return { answer: null };
  });
}
