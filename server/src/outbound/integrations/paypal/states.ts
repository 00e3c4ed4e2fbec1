import type { FailureReason } from '../../payouts/methods.ts';
import type { TransferState } from '../../payouts/provider.ts';

/** Meaning of an item's `transaction_status` (D-PAY-3). */
export const ITEM_STATES: Readonly<Record<string, TransferState['state']>> = {
  SUCCESS: 'paid',
  PENDING: 'processing',
  UNCLAIMED: 'processing',
  ONHOLD: 'processing',
  FAILED: 'failed',
  BLOCKED: 'failed',
  RETURNED: 'returned',
  REFUNDED: 'returned',
  REVERSED: 'returned',
};

/** Meaning of `batch_status` for a batch without an item. */
export const BATCH_STATES: Readonly<Record<string, TransferState['state']>> = {
  NEW: 'processing',
  PENDING: 'processing',
  PROCESSING: 'processing',
  SUCCESS: 'processing',
  DENIED: 'failed',
  CANCELED: 'failed',
};

/** PayPal's error names for orders and items (D-PAY-4). */
export const FAILURES: Readonly<Record<string, FailureReason>> = {
  ACCOUNT_RESTRICTED: 'rejected_by_provider',
  ACCOUNT_UNCONFIRMED_EMAIL: 'rejected_by_provider',
  APPROVER_DENIED: 'rejected_by_provider',
  AUTHORIZATION_ERROR: 'rejected_by_provider',
  CLOSED_MARKET: 'compliance',
  CURRENCY_COMPLIANCE: 'compliance',
  CURRENCY_NOT_SUPPORTED_FOR_RECEIVER: 'recipient_refused',
  INSUFFICIENT_FUNDS: 'insufficient_funds',
  INTERNAL_ERROR: 'provider_error',
  NEGATIVE_BALANCE: 'insufficient_funds',
  NON_HOLDING_CURRENCY: 'recipient_refused',
  PENDING_RECIPIENT_NON_HOLDING_CURRENCY_PAYMENT_PREFERENCE: 'recipient_refused',
  POS_LIMIT_EXCEEDED: 'limit_exceeded',
  RECEIVER_ACCOUNT_LOCKED: 'account_closed',
  RECEIVER_COUNTRY_NOT_ALLOWED: 'compliance',
  RECEIVER_STATE_RESTRICTED: 'compliance',
  RECEIVER_UNCONFIRMED: 'unclaimed',
  RECEIVER_UNREGISTERED: 'unclaimed',
  RECEIVER_YOUTH_ACCOUNT: 'recipient_refused',
  RECEIVING_LIMIT_EXCEEDED: 'limit_exceeded',
  REFUSED_ZERO_TOLERANCE: 'recipient_refused',
  REGULATORY_BLOCKED: 'compliance',
  REGULATORY_PENDING: 'compliance',
  RISK_DECLINE: 'compliance',
  SELF_PAY_NOT_ALLOWED: 'invalid_details',
  SENDER_ACCOUNT_LOCKED: 'rejected_by_provider',
  SENDER_ACCOUNT_UNVERIFIED: 'rejected_by_provider',
  SENDER_STATE_RESTRICTED: 'compliance',
  SPENDING_LIMIT_EXCEEDED: 'limit_exceeded',
  TRANSACTION_LIMIT_EXCEEDED: 'limit_exceeded',
  USER_COUNTRY_NOT_ALLOWED: 'compliance',
  USER_FUNDING_SOURCE_INELIGIBLE: 'insufficient_funds',
};

/** An item that came back without an error was usually not claimed. */
export function failureOf(
  state: 'failed' | 'returned',
  status: string | null,
  errorName: string | null,
): FailureReason {
  const known = errorName === null ? undefined : FAILURES[errorName];
  if (known) return known;
  if (state === 'failed') return status === 'BLOCKED' ? 'compliance' : 'rejected_by_provider';
  return status === 'RETURNED' ? 'unclaimed' : 'recipient_refused';
}
