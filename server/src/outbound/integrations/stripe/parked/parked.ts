import type { Instant } from '../../../../platform/kit/instant.ts';
import type { StripeFact } from '../events/stripe-fact.ts';

export const PARKED_REASONS = [
  'unknown_customer',
  'unknown_payment',
  'invoice_not_paid',
  'reversal_unknown',
  'exceeds_purchase',
] as const;
export type ParkedReason = (typeof PARKED_REASONS)[number];

/** An event that waits for something else to be known. */
export interface ParkedRow {
  readonly projectId: string;
  readonly id: string;
  readonly connectionId: string;
  /** Stripe's. */
  readonly eventId: string;
  readonly type: string;
  readonly reason: ParkedReason;
  readonly told: StripeFact;
  readonly waitsFor: string;
  /** When what it waits for came, or when it is tried again. */
  readonly dueAt: Instant | null;
  readonly attempts: number;
  readonly parkedAt: Instant;
}

/** What an event can wait for, as it stands in its row. */
export const waits = {
  customer: (id: string) => `customer:${id}`,
  payment: (id: string) => `payment:${id}`,
  invoice: (id: string) => `invoice:${id}`,
  reversal: (id: string) => `reversal:${id}`,
} as const;
