import { ATTRIBUTION_REASONS, REJECT_REASONS } from '../../attribution/decide-attribution.ts';

/** Who is credited with an Event that was decided, or why nobody is. Stored: none is ever taken away. */
export const CREDIT_REASONS = [
  ...ATTRIBUTION_REASONS,
  'no_referral',
  'no_signup',
  'duplicate_invoice',
] as const;
export type CreditReason = (typeof CREDIT_REASONS)[number];

/** How an Event stands. Stored: none is ever taken away. */
export const PROCESSING_REASONS = [
  ...CREDIT_REASONS,
  'awaiting_attribution',
  'retry_scheduled',
  'attempts_exhausted',
] as const;
export type ProcessingReason = (typeof PROCESSING_REASONS)[number];

/** Why a code that came with a fact was not taken. Stored with answers: none is ever taken away. */
export const REF_CODE_REASONS = [
  'empty',
  'too_long',
  'unknown',
  'not_a_signup',
  ...REJECT_REASONS,
] as const;
export type RefCodeReason = (typeof REF_CODE_REASONS)[number];
