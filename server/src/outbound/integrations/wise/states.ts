import type { FailureReason } from '../../payouts/methods.ts';
import type { TransferState } from '../../payouts/provider.ts';

/** Meaning of a transfer's `status` (D-PAY-3); `unfunded` is made but not paid for. */
export const STATES: Readonly<Record<string, TransferState['state'] | 'unfunded'>> = {
  incoming_payment_waiting: 'unfunded',
  incoming_payment_initiated: 'processing',
  processing: 'processing',
  funds_converted: 'processing',
  outgoing_payment_sent: 'paid',
  bounced_back: 'returned',
  funds_refunded: 'returned',
  charged_back: 'returned',
  cancelled: 'failed',
};

/**
 * Wise's codes for money that did not arrive, from its webhook `transfers#payout-failure`
 * (D-PAY-4).
 */
export const FAILURES: Readonly<Record<string, FailureReason>> = {
  ACCOUNT_CLOSED: 'account_closed',
  ACCOUNT_FROZEN: 'account_closed',
  ACCOUNT_BLOCKED: 'account_closed',
  ACCOUNT_LIMIT_REACHED: 'limit_exceeded',
};
/** Each of the many codes with this prefix concerns one field of the account. */
const WRONG = 'WRONG_';

const BY_STATUS: Readonly<Record<string, FailureReason>> = {
  bounced_back: 'recipient_refused',
  funds_refunded: 'recipient_refused',
  charged_back: 'other',
  cancelled: 'rejected_by_provider',
};

/** Wise adds codes without notice; an unknown one says no more than the status. */
export function failureOf(status: string, code: string | null): FailureReason {
  if (code?.startsWith(WRONG)) return 'invalid_details';
  return FAILURES[code ?? ''] ?? BY_STATUS[status] ?? 'other';
}
