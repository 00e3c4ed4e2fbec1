import type { Tally } from '../../../platform/figures/tally.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { Participant } from '../../participants/schema.ts';
import type { RewardAdjustmentRow, RewardRow } from '../../rewards/reward.ts';
import type { Referral, TrackAnswer } from '../event-schema.ts';
import type { SourceRef } from '../intake/normalize-adjustment.ts';
import type { SubscriptionFact } from '../subscription-schema.ts';
import type {
  DroppedAdjustment,
  EarlyAdjustment,
  EnrollmentSpan,
  Purchase,
  PurchaseAdjustment,
  Touch,
  TrackedEvent,
} from './slice.ts';

/** Where a fold puts what it made. What it says is announced in the order it was said. */
export interface Recorder {
  readonly projectId: string;
  readonly now: Instant;
  readonly newId: NewId;
  nextNumber(list: string): number;
  introduce(participant: Participant): void;
  announce(
    type:
      | 'event.recorded'
      | 'referral.created'
      | 'reward.earned'
      | 'reward.voided'
      | 'reward.restored',
    data: Record<string, unknown>,
  ): void;
  readonly made: Made;
}

/** Rows of one kind: those to insert, and those from before to update, each as it is in the end. */
export interface Rows<T extends { readonly id: string }> {
  readonly added: Map<string, T>;
  readonly changed: Map<string, T>;
}

export function addRow<T extends { readonly id: string }>(rows: Rows<T>, row: T): void {
  rows.added.set(row.id, row);
}

/** One that was made in this batch is inserted as it is now. */
export function changeRow<T extends { readonly id: string }>(rows: Rows<T>, row: T): void {
  if (rows.added.has(row.id)) rows.added.set(row.id, row);
  else rows.changed.set(row.id, row);
}

/** What to save, each kind of row in one statement. */
export interface Made {
  readonly events: Rows<TrackedEvent>;
  readonly purchases: Rows<Purchase>;
  readonly adjustments: Rows<PurchaseAdjustment>;
  readonly rewards: Rows<RewardRow>;
  readonly rewardAdjustments: RewardAdjustmentRow[];
  readonly subscriptionFacts: Rows<SubscriptionFact>;
  readonly keys: SourceKey[];
  /** Keys from before that name nothing any more. */
  readonly forgotten: SourceRef[];
  readonly early: {
    readonly added: Map<string, EarlyAdjustment>;
    /** From before, by id. */
    readonly removed: string[];
    readonly dropped: DroppedAdjustment[];
  };
  readonly signups: { participantId: string; eventId: string; answer: TrackAnswer }[];
  readonly touches: Touch[];
  readonly referrals: Referral[];
  readonly enrollments: EnrollmentSpan[];
  /** What to add to which figure. */
  readonly counted: Tally;
}

export interface SourceKey {
  readonly sourceNamespaceId: string;
  readonly sourceEventId: string;
  readonly factsHash: string;
  readonly answer: object;
}

export function nothingMade(): Made {
  const noRows = <T extends { readonly id: string }>(): Rows<T> => ({
    added: new Map(),
    changed: new Map(),
  });
  return {
    events: noRows(),
    purchases: noRows(),
    adjustments: noRows(),
    rewards: noRows(),
    rewardAdjustments: [],
    subscriptionFacts: noRows(),
    keys: [],
    forgotten: [],
    early: { added: new Map(), removed: [], dropped: [] },
    signups: [],
    touches: [],
    referrals: [],
    enrollments: [],
    counted: new Map(),
  };
}
