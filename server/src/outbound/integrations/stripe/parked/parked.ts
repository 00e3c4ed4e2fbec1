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

/** An event that waits for other data. */
export interface ParkedRow {
  readonly projectId: string;
  readonly id: string;
  readonly connectionId: string;
  readonly eventId: string;
  readonly type: string;
  readonly reason: ParkedReason;
  readonly fact: StripeFact;
  readonly waitsFor: string;
  /** When the awaited data arrived, or when the event is retried. */
  readonly dueAt: Instant | null;
  readonly attempts: number;
  readonly parkedAt: Instant;
}

/** What an event can wait for, as stored in its row. */
export const waits = {
  customer: (id: string) => `customer:${id}`,
  payment: (id: string) => `payment:${id}`,
  invoice: (id: string) => `invoice:${id}`,
  reversal: (id: string) => `reversal:${id}`,
} as const;
