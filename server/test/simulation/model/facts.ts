// What the model is told: how a Project was set up, and what the service has accepted.

import type { Adjustment } from './purchases.ts';

export type Role = 'referrer' | 'referee';
export type Measure = 'referrals' | 'purchases' | 'revenue';
export type MeasureWindow = 'all_time' | 'calendar_month' | 'rolling_30_days';
type BenefitKind = 'cash' | 'credit' | 'discount' | 'custom';
export type Rounding = 'half_up' | 'half_even' | 'down' | 'up';

/** Of a purchase; all of them must hold. */
export interface Condition {
  readonly field: 'purchase.amountMinor' | 'purchase.currency';
  readonly op: 'eq' | 'ne' | 'gte' | 'lte' | 'in' | 'not_in';
  readonly value: string | readonly string[];
}

/** The size of a benefit: the one field that it needs. */
export interface Size {
  readonly fixedAmountMinor?: string;
  readonly rateBps?: number;
  readonly quantity?: number;
}

export interface Tiers {
  readonly measure: Measure;
  readonly window: MeasureWindow;
  /** Ascending, the first from 0. */
  readonly steps: readonly (Size & { readonly from: string })[];
}

export interface Milestone {
  readonly measure: Measure;
  readonly at: string;
  readonly repeat: boolean;
}

/** Terms with tiers have no size of their own. */
export interface Terms extends Size {
  readonly benefitKind: BenefitKind;
  readonly calculation: 'fixed' | 'percentage' | 'milestone';
  readonly tiers?: Tiers;
  readonly milestone?: Milestone;
  readonly durationMode: 'once' | 'months' | 'forever';
  readonly durationMonths?: number;
  readonly maxRewardsPerBeneficiary?: number;
  readonly roundingPolicy: Rounding;
  readonly refundPolicy: 'proportional' | 'full' | 'none';
  readonly enabled: boolean;
  readonly conditions?: readonly Condition[];
}

/** `custom_review` is what the caller's own events are in a world. */
export type EventType = 'signup' | 'purchase' | 'custom_review';

export interface RuleFacts {
  readonly key: string;
  readonly eventType: EventType;
  /** In loyalty, who acts is the referee of a referral that nobody has made. */
  readonly role: Role;
  /** Oldest first. */
  readonly versions: readonly { readonly effectiveAt: string; readonly terms: Terms }[];
}

export type ReviewStatus = 'open' | 'approved' | 'rejected';

export interface Policy {
  readonly model: 'last_touch' | 'first_touch';
  readonly windowDays: number;
  /** Absent: by signup. */
  readonly bindingTrigger?: 'signup' | 'subscription';
}

export interface ProgramFacts {
  /** Whether people earn for what they do themselves. */
  readonly isLoyalty: boolean;
  /** Whether the service itself pays its cash. */
  readonly paysCash: boolean;
  /** Whether the service itself adds its credit to the balance of customers. */
  readonly creditsBalance: boolean;
  /** What referrers had brought before there was this service. */
  readonly starts: ReadonlyMap<string, Readonly<Record<Measure, bigint>>>;
  /** Oldest first. */
  readonly policies: readonly { readonly effectiveAt: string; readonly policy: Policy }[];
  readonly key: string;
  /** Oldest first. */
  readonly statuses: readonly { readonly from: string; readonly status: string }[];
  readonly rules: readonly RuleFacts[];
}

export interface EnrollmentFacts {
  readonly person: string;
  readonly program: string;
  readonly startsAt: string;
  readonly endsAt: string | null;
}

/** Something that the service has accepted. */
export type Fact =
  | {
      readonly kind: 'code';
      /** A code, or the slug of a link, which belongs to a code. */
      readonly name: string;
      readonly codeId: string;
      readonly person: string;
      readonly program: string;
    }
  | {
      readonly kind: 'signup';
      readonly person: string;
      /** Who has signed a group up. */
      readonly actor: string | null;
      readonly refCode: string | null;
      /** The handle of the browser that it came from. */
      readonly handle: string | null;
      readonly occurredAt: string;
      readonly receivedAt: string;
    }
  | {
      readonly kind: 'purchase';
      readonly key: string;
      readonly person: string;
      readonly actor: string | null;
      /** The subscription that it is paid for. */
      readonly subscription: string | null;
      /** The invoice that it is about. */
      readonly invoice: string | null;
      readonly amountMinor: bigint;
      readonly currency: string;
      readonly occurredAt: string;
      readonly receivedAt: string;
      /** Whether it waited in vain for a signup. */
      readonly gaveUp: boolean;
    }
  /** An event of the caller's own. */
  | {
      readonly kind: 'custom';
      readonly key: string;
      readonly person: string;
      readonly occurredAt: string;
      readonly receivedAt: string;
    }
  /** Somebody had been referred before there was this service. */
  | {
      readonly kind: 'import';
      readonly referee: string;
      readonly referrer: string;
      readonly program: string;
      readonly at: string;
    }
  /** A subscription has started. */
  | {
      readonly kind: 'start';
      readonly person: string;
      readonly subscription: string;
      readonly occurredAt: string;
    }
  /** A purchase was decided that may have waited in vain. */
  | { readonly kind: 'waited'; readonly purchase: string }
  | {
      readonly kind: 'adjustment';
      readonly purchase: string;
      readonly adjustment: Adjustment;
      readonly reportedAt: string;
      /** Whether it was reported before its purchase. */
      readonly isEarly: boolean;
    }
  | {
      readonly kind: 'touch';
      readonly handle: string;
      readonly name: string;
      readonly occurredAt: string;
    }
  | { readonly kind: 'identify'; readonly handle: string; readonly person: string }
  | { readonly kind: 'erase'; readonly person: string }
  /** An operator has suspended a partner, or ended that. */
  | { readonly kind: 'suspend' | 'reinstate'; readonly person: string }
  /** A review was opened of how somebody was referred, or it was decided. */
  | { readonly kind: 'review'; readonly referee: string; readonly status: ReviewStatus }
  | {
      readonly kind: 'paid' | 'returned';
      readonly payout: string;
      readonly lines: readonly { readonly reward: string; readonly amountMinor: bigint }[];
    }
  | { readonly kind: 'void' | 'grant' | 'revoke'; readonly reward: string };

export interface Accepted {
  readonly programs: readonly ProgramFacts[];
  readonly enrollments: readonly EnrollmentFacts[];
  /** In the order in which they were accepted. */
  readonly facts: readonly Fact[];
}
