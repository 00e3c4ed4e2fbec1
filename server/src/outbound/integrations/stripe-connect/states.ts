import type { FailureReason } from '../../payouts/methods.ts';
import type { TransferState } from '../../payouts/provider.ts';

/** The fields of a Stripe transfer that decide its state. */
export interface TransferFacts {
  readonly id: string;
  readonly amount: number;
  readonly amount_reversed: number;
  readonly currency: string;
}

/**
 * A transfer has reached the payee's account once it is made; that account's payouts to a bank are
 * not tracked. Only a fully reversed transfer counts as returned (D-PAY-3).
 */
export function stateOf({ id, amount, amount_reversed }: TransferFacts): TransferState {
  if (amount_reversed < amount) return { state: 'paid', reference: id };
  return {
    state: 'returned',
    reference: id,
    failureReason: 'other',
    failureMessage: 'Stripe: the transfer was reversed',
  };
}

/** Stripe's codes for transfers that it refuses (D-PAY-4). */
export const FAILURES: Readonly<Record<string, FailureReason>> = {
  account_closed: 'account_closed',
  account_invalid: 'invalid_details',
  account_country_invalid_address: 'invalid_details',
  amount_too_large: 'limit_exceeded',
  amount_too_small: 'limit_exceeded',
  balance_insufficient: 'insufficient_funds',
  country_unsupported: 'compliance',
  insufficient_capabilities_for_transfer: 'compliance',
  resource_missing: 'invalid_details',
  transfer_source_balance_parameters_mismatch: 'rejected_by_provider',
  transfers_not_allowed: 'compliance',
};
