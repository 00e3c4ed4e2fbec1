import { isUnavailable } from '../../../platform/db/database.ts';
import type { ProjectWriter } from '../../../platform/feed/writer/writer.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { AppError } from '../../../platform/kit/errors.ts';
import { updateEvents } from '../batch/fact-store.ts';
import type { Tracker } from '../batch/track-event.ts';
import { postponeEvent } from '../decide/decide-retry.ts';
import { listWaitingEvents } from '../store.ts';

export interface DecideDeps {
  readonly writer: ProjectWriter;
  readonly tracker: Tracker;
  /** Reports why a decision failed that is retried later. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/**
 * Decides this person's purchases whose wait is over. An internal error must not block everybody
 * else: such Events are retried later. Fails only with database errors.
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

/** A full queue says nothing about the Event. */
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
