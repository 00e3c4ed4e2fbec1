import { type Database, isUnavailable } from '../../../platform/db/database.ts';
import type { ProjectWriter } from '../../../platform/feed/writer/writer.ts';
import type { WriteRequest } from '../../../platform/http/access/principal.ts';
import { AppError, conflict, notFound } from '../../../platform/kit/errors.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { deleteEarly, deleteSourceKeys, listExpired } from '../batch/early-store.ts';
import { updateEvents } from '../batch/fact-store.ts';
import { auditDropped } from '../batch/save-ledger.ts';
import type { Tracker } from '../batch/track-event.ts';
import { postponeEvent } from '../decide/decide-retry.ts';
import type { Event } from '../event-schema.ts';
import { findEventById } from '../read/event-queries.ts';
import { presentEvent } from '../read/present-event.ts';
import { listWaitingEvents } from '../store.ts';
import { listPeopleDue } from './due-store.ts';

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

/**
 * Drops at most `limit` adjustments of a Project whose purchase did not arrive in time; returns how
 * many. They can be sent again.
 */
export function dropExpired(
  writer: ProjectWriter,
  request: WriteRequest,
  limit: number,
): Promise<number> {
  return writer.run(request, async (write) => {
    const { tx, projectId, now } = write;
    const expired = await listExpired(tx, projectId, now, limit);
    if (expired.length > 0) {
      deleteEarly(
        tx,
        projectId,
        expired.map(({ id }) => id),
      );
      deleteSourceKeys(
        tx,
        projectId,
        expired.map(({ input }) => input),
      );
      const reason = 'purchase_not_reported';
      await auditDropped(
        write,
        expired.map((early) => ({ early, reason })),
      );
    }
    return { answer: expired.length };
  });
}

/** People or adjustments per round; other writes run in between. */
const SLICE = 200;

/**
 * Decides all purchases of one Project whose wait is over by `dueBy`, and drops adjustments whose
 * purchase did not arrive. The Project's time must have reached `dueBy`, or this would not end.
 */
export async function runDue(
  deps: DecideDeps & { readonly database: Database },
  request: WriteRequest,
  dueBy: Instant,
): Promise<void> {
  // The idempotency key belongs to the answer of the surrounding call.
  const each: WriteRequest = { ...request, idempotency: null };
  while (true) {
    const people = await listPeopleDue(deps.database.reads, each.projectId, dueBy, SLICE);
    if (people.length === 0) break;
    await Promise.all(people.map((participantId) => settleDue(deps, each, participantId)));
  }
  while ((await dropExpired(deps.writer, each, SLICE)) > 0);
}

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
    const event = await findEventById(tx, projectId, eventId);
    if (!event) throw notFound('event');
    const isWaiting = event.processingReason === 'retry_scheduled';
    if (event.processingState !== 'failed' && !isWaiting) {
      throw conflict(
        'invalid_transition',
        `Only a failed Event can be retried. This one is ${event.processingState}.`,
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
  const event = await findEventById(deps.database.reads, request.projectId, eventId);
  if (!event) throw notFound('event');
  return presentEvent(event);
}
