import type { PayoutType } from './details/details.ts';

export const PAYOUT_METHODS = ['manual_export', 'paypal', 'wise', 'stripe_connect'] as const;
export type PayoutMethod = (typeof PAYOUT_METHODS)[number];

/** Methods by which the service itself orders transfers. */
export const PROVIDER_METHODS = ['paypal', 'wise', 'stripe_connect'] as const;
export type ProviderMethod = (typeof PROVIDER_METHODS)[number];

/** The types of details that each method can pay to. */
const PAYS_TO: Readonly<Record<PayoutMethod, readonly PayoutType[]>> = {
  manual_export: ['bank', 'paypal', 'wise'],
  paypal: ['paypal'],
  wise: ['wise', 'bank'],
  stripe_connect: ['stripe_connect'],
};

export function canPayTo(method: PayoutMethod, type: PayoutType): boolean {
  return PAYS_TO[method].includes(type);
}

export const FAILURE_REASONS = [
  'invalid_details',
  'account_closed',
  'rejected_by_provider',
  'insufficient_funds',
  'limit_exceeded',
  'compliance',
  'unclaimed',
  'recipient_refused',
  'provider_error',
  'other',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];
