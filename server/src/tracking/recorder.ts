import type { NewId } from '../kit/ids.ts';
import type { Instant } from '../kit/instant.ts';
import type { Participant } from '../participants/schema.ts';
import type { RewardRow } from '../rewards/reward.ts';
import type { Referral, TrackAnswer } from './event-schema.ts';
import type { EnrollmentSpan, Purchase, Touch, TrackedEvent } from './slice.ts';

/** Where a fold puts what it made. What it says is announced in the order it was said. */
export interface Recorder {
  readonly projectId: string;
  readonly now: Instant;
  readonly newId: NewId;
  nextNumber(list: string): number;
  introduce(participant: Participant): void;
  announce(
    type: 'event.recorded' | 'referral.created' | 'reward.earned',
    data: Record<string, unknown>,
  ): void;
  readonly made: Made;
}

/** Rows to save, each kind in one statement. */
export interface Made {
  readonly events: TrackedEvent[];
  /** Events from before that were decided now. */
  readonly decided: TrackedEvent[];
  readonly keys: SourceKey[];
  readonly signups: { participantId: string; eventId: string; answer: TrackAnswer }[];
  readonly purchases: Purchase[];
  readonly touches: Touch[];
  readonly referrals: Referral[];
  readonly enrollments: EnrollmentSpan[];
  readonly rewards: RewardRow[];
  /** What to add to which counter, by `counterKey`. */
  readonly counted: Map<string, { delta: bigint; firstAt: Instant | null }>;
}

export interface SourceKey {
  readonly sourceNamespaceId: string;
  readonly sourceEventId: string;
  readonly factsHash: string;
  readonly answer: TrackAnswer;
}

export function nothingMade(): Made {
  return {
    events: [],
    decided: [],
    keys: [],
    signups: [],
    purchases: [],
    touches: [],
    referrals: [],
    enrollments: [],
    rewards: [],
    counted: new Map(),
  };
}
