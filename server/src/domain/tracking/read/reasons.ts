import { ATTRIBUTION_REASONS, REJECT_REASONS } from '../../attribution/decide-attribution.ts';

/** Who is credited with a decided Event, or why nobody is. Stored: never remove one. */
export const CREDIT_REASONS = [
  ...ATTRIBUTION_REASONS,
  'no_referral',
  'no_signup',
  'duplicate_invoice',
] as const;
export type CreditReason = (typeof CREDIT_REASONS)[number];

/** State of an Event. Stored: never remove one. */
export const PROCESSING_REASONS = [
  ...CREDIT_REASONS,
  'awaiting_attribution',
  'retry_scheduled',
  'attempts_exhausted',
] as const;
export type ProcessingReason = (typeof PROCESSING_REASONS)[number];

/** Why a code that was sent with a fact was not accepted. Stored with answers: never remove one. */
export const REF_CODE_REASONS = [
  'empty',
  'too_long',
  'unknown',
  'not_a_signup',
  ...REJECT_REASONS,
] as const;
export type RefCodeReason = (typeof REF_CODE_REASONS)[number];
