import type { FeedEventType } from '../../../platform/feed/writer/project-write.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { FailureReason } from '../dispatch/failure.ts';
import type { EndpointDeps } from '../endpoints/endpoint.ts';

export const ATTEMPT_OUTCOMES = ['succeeded', 'retrying', 'failed'] as const;

/** What an attempt made of its delivery. */
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** One POST, without its response. */
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

/** An attempt to be saved. */
export interface Attempt extends AnsweredAttemptRow {
  readonly endpointId: string;
  /** Position of the event in the feed. */
  readonly position: number;
}

/**
 * An event that is or was being delivered to an endpoint. At least one of `queued` and `last` is
 * set.
 */
export interface DeliveryRow {
  readonly position: number;
  readonly eventId: string;
  readonly eventType: FeedEventType;
  readonly occurredAt: Instant;
  /** Null if it is not in the queue. */
  readonly queued: {
    readonly dueAt: Instant;
    readonly isRetry: boolean;
    /** Set while a worker is sending it. */
    readonly leasedUntil: Instant | null;
  } | null;
  /** The number of attempts in the history. */
  readonly attemptCount: number;
  readonly last: (AttemptRow & { readonly isReplayed: boolean }) | null;
}

export interface DeliveryDeps
  extends Pick<EndpointDeps, 'database' | 'writer' | 'clock' | 'newId'> {
  /** Called when deliveries of a project became due: a hint that may get lost. */
  readonly onDeliveriesDue: (projectId: string) => void;
}
