// What the model is told: how a Project was set up, and what the service has accepted.

type Role = 'referrer' | 'referee';
type BenefitKind = 'cash' | 'credit' | 'discount' | 'custom';
export type Rounding = 'half_up' | 'half_even' | 'down' | 'up';

/** Of a purchase; all of them must hold. */
export interface Condition {
  readonly field: 'purchase.amountMinor' | 'purchase.currency';
  readonly op: 'eq' | 'ne' | 'gte' | 'lte' | 'in' | 'not_in';
  readonly value: string | readonly string[];
}

export interface Terms {
  readonly benefitKind: BenefitKind;
  readonly calculation: 'fixed' | 'percentage';
  readonly fixedAmountMinor?: string;
  readonly rateBps?: number;
  readonly durationMode: 'once' | 'months' | 'forever';
  readonly durationMonths?: number;
  readonly maxRewardsPerBeneficiary?: number;
  readonly roundingPolicy: Rounding;
  readonly refundPolicy: 'proportional' | 'full' | 'none';
  readonly enabled: boolean;
  readonly conditions?: readonly Condition[];
}

interface RuleFacts {
  readonly key: string;
  readonly eventType: 'signup' | 'purchase';
  readonly role: Role;
  /** Oldest first. */
  readonly versions: readonly { readonly effectiveAt: string; readonly terms: Terms }[];
}

export interface ProgramFacts {
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
      readonly code: string;
      readonly person: string;
      readonly program: string;
    }
  | {
      readonly kind: 'signup';
      readonly person: string;
      readonly refCode: string | null;
      readonly occurredAt: string;
    }
  | {
      readonly kind: 'purchase';
      readonly key: string;
      readonly person: string;
      readonly amountMinor: bigint;
      readonly occurredAt: string;
      /** Whether it waited in vain for a signup. */
      readonly gaveUp: boolean;
    }
  | {
      readonly kind: 'refund' | 'restoration';
      readonly purchase: string;
      readonly amountMinor: bigint;
    }
  | { readonly kind: 'erase'; readonly person: string }
  | { readonly kind: 'void' | 'grant' | 'revoke'; readonly reward: string };

export interface Accepted {
  readonly programs: readonly ProgramFacts[];
  readonly enrollments: readonly EnrollmentFacts[];
  /** In the order in which they were accepted. */
  readonly facts: readonly Fact[];
}
