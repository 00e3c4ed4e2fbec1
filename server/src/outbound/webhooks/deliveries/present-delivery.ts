import type { Instant } from '../../../platform/kit/instant.ts';
import type { AnsweredAttemptRow, AttemptRow, DeliveryRow } from './delivery.ts';
import type { Attempt, Delivery } from './delivery-schema.ts';
import { isSending, statusOf, waitsUntil } from './delivery-status.ts';

/** `now` is the real time, which attempts use. Nothing is sent while the endpoint is disabled. */
export function presentDelivery(row: DeliveryRow, now: Instant, isEnabled: boolean): Delivery {
  return {
    eventId: row.eventId,
    eventType: row.eventType,
    occurredAt: row.occurredAt,
    status: statusOf(row),
    attemptCount: row.attemptCount,
    isSending: isSending(row, now),
    nextAttemptAt: isEnabled ? waitsUntil(row) : null,
    lastAttempt: row.last && summarize(row.last),
  };
}

/** `newest` are the most recent attempts, newest first. */
export function presentAttempts(newest: readonly AnsweredAttemptRow[], count: number): Attempt[] {
  return newest
    .map((row, index) => ({
      id: row.id,
      number: count - index,
      ...summarize(row),
      responseBody: row.responseBody,
    }))
    .reverse();
}

function summarize(row: AttemptRow): NonNullable<Delivery['lastAttempt']> {
  const { startedAt, outcome, responseStatus, latencyMs, failureReason, failureMessage } = row;
  return {
    startedAt,
    outcome,
    responseStatus,
    latencyMs,
    failure:
      failureReason === null ? null : { reason: failureReason, message: failureMessage ?? '' },
  };
}
