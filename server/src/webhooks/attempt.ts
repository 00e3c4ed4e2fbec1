import type { Instant } from '../kit/instant.ts';
import type { AttemptOutcome } from './delivery.ts';
import type { FailureReason } from './failure.ts';

/** One POST, as the history keeps it. */
export interface Attempt {
  readonly id: string;
  readonly endpointId: string;
  /** Of the event in the feed. */
  readonly position: number;
  readonly startedAt: Instant;
  readonly outcome: AttemptOutcome['outcome'];
  /** Null without an answer. */
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly latencyMs: number;
  /** Null with an answer. */
  readonly failureReason: FailureReason | null;
  readonly failureMessage: string | null;
}
