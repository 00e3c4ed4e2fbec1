import type { FeedEventType } from '../../../platform/feed/writer/project-write.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { FailureReason } from '../dispatch/failure.ts';

export const ATTEMPT_OUTCOMES = ['succeeded', 'retrying', 'failed'] as const;

/** What became of a delivery by an attempt. */
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** One POST, without what was answered. */
export interface AttemptRow {
  readonly id: string;
  readonly startedAt: Instant;
  readonly outcome: AttemptOutcome;
  readonly responseStatus: number | null;
  readonly latencyMs: number;
  readonly failureReason: FailureReason | null;
  readonly failureMessage: string | null;
}

export interface AnsweredAttemptRow extends AttemptRow {
  readonly responseBody: string | null;
}

/** One that is to be kept. */
export interface Attempt extends AnsweredAttemptRow {
  readonly endpointId: string;
  /** Of the event in the feed. */
  readonly position: number;
}

/** An event on its way to an endpoint, or one that was. At least one of `queued` and `last` is set. */
export interface DeliveryRow {
  readonly position: number;
  readonly eventId: string;
  readonly eventType: FeedEventType;
  readonly occurredAt: Instant;
  /** Null when it waits for nothing any more. */
  readonly queued: {
    readonly dueAt: Instant;
    readonly isRetry: boolean;
    /** Set while a worker has it. */
    readonly leasedUntil: Instant | null;
  } | null;
  /** All that the history has. */
  readonly attemptCount: number;
  readonly last: (AttemptRow & { readonly isReplayed: boolean }) | null;
}
