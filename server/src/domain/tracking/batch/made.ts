// What a batch of commands makes, to be saved once they all are decided.

import type { Tally } from '../../../platform/figures/tally.ts';
import type { RewardAdjustmentRow, RewardRow } from '../../rewards/reward.ts';
import type { ReviewRow } from '../../risk/reviews/review.ts';
import type { SubscriptionFact } from '../billing-schema.ts';
import type { TrackAnswer } from '../event-schema.ts';
import type { SourceRef } from '../intake/normalize-billing.ts';
import type {
  DroppedAdjustment,
  EarlyAdjustment,
  EnrollmentSpan,
  Purchase,
  PurchaseAdjustment,
  SourceKey,
  StoredReferral,
  Touch,
  TrackedEvent,
} from './facts.ts';

/** Rows of one kind: new ones to insert and existing ones to update, each in its final state. */
export interface Rows<T extends { readonly id: string }> {
  readonly added: Map<string, T>;
  readonly changed: Map<string, T>;
}

/** What to save, each kind of row in one statement. */
export type Made = ReturnType<typeof nothingMade>;

export function nothingMade() {
  const noRows = <T extends { readonly id: string }>(): Rows<T> => ({
    added: new Map(),
    changed: new Map(),
  });
  return {
    events: noRows<TrackedEvent>(),
    purchases: noRows<Purchase>(),
    adjustments: noRows<PurchaseAdjustment>(),
    rewards: noRows<RewardRow>(),
    rewardAdjustments: [] as RewardAdjustmentRow[],
    subscriptionFacts: noRows<SubscriptionFact>(),
    keys: [] as SourceKey[],
    /** Existing keys to delete. */
    forgotten: [] as SourceRef[],
    early: {
      added: new Map<string, EarlyAdjustment>(),
      /** Existing rows to delete, by id. */
      removed: [] as string[],
      dropped: [] as DroppedAdjustment[],
    },
    signups: [] as { participantId: string; eventId: string; answer: TrackAnswer }[],
    touches: [] as Touch[],
    referrals: [] as StoredReferral[],
    /** Existing referrals whose first purchase arrived, or an earlier one; by id. */
    bought: new Map<string, StoredReferral>(),
    reviews: [] as ReviewRow[],
    /** Existing referrals that are under review now; by id. */
    reviewed: new Map<string, StoredReferral>(),
    enrollments: [] as EnrollmentSpan[],
    /** The changes of figures. */
    counted: new Map() as Tally,
    /** The same of days, if it is not known whether they are a Partner's. */
    unsureDays: new Map() as Tally,
  } as const;
}

/** Returns what empties it again: a replay uses one for all commands, because making one takes longer than many decisions. */
export function eraserOf(made: Made): () => void {
  const parts = partsOf(made);
  return () => {
    for (const part of parts) {
      // Clearing what is empty is not free, and cutting an array takes longer than taking out what it has.
      if (Array.isArray(part)) while (part.length > 0) part.pop();
      else if (part.size > 0) part.clear();
    }
  };
}

function partsOf(made: object): (unknown[] | Map<unknown, unknown>)[] {
  return Object.values(made).flatMap((part: object) =>
    Array.isArray(part) || part instanceof Map ? [part] : partsOf(part),
  );
}

export function addRow<T extends { readonly id: string }>(rows: Rows<T>, row: T): void {
  rows.added.set(row.id, row);
}

/** A row that was created in this batch is inserted in its new state. */
export function changeRow<T extends { readonly id: string }>(rows: Rows<T>, row: T): void {
  if (rows.added.has(row.id)) rows.added.set(row.id, row);
  else rows.changed.set(row.id, row);
}
