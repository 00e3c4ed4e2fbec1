import type { Party } from '../../../platform/feed/render-event.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { SampleFrame } from './sample-frame.ts';

type PayoutEventType = 'payout.paid' | 'payout.failed' | 'payout.returned';

/** A payout in events: with the lines of the receiving project only (D-PAY-1). */
interface Payout {
  readonly id: string;
  readonly batchId: string;
  readonly status: 'paid' | 'failed' | 'returned';
  readonly method: string;
  readonly currency: string;
  readonly currencyExponent: number;
  readonly amountMinor: string;
  readonly rewards: readonly {
    readonly rewardId: string;
    readonly beneficiary: Party;
    readonly amountMinor: string;
  }[];
  readonly providerReference: string | null;
  readonly createdAt: Instant;
  readonly paidAt: Instant | null;
  readonly failureReason: string | null;
  readonly failureMessage: string | null;
}

/** One cash reward of ten dollars: paid, not paid, or paid and returned. */
export function samplePayout(
  type: PayoutEventType,
  beneficiary: Party,
  { now, newId }: SampleFrame,
): Payout {
  const paid: Payout = {
    id: newId('po'),
    batchId: newId('pob'),
    status: 'paid',
    method: 'manual_export',
    currency: 'USD',
    currencyExponent: 2,
    amountMinor: '1000',
    rewards: [{ rewardId: newId('rwd'), beneficiary, amountMinor: '1000' }],
    providerReference: 'goodword-test-transfer',
    createdAt: now,
    paidAt: now,
    failureReason: null,
    failureMessage: null,
  };
  switch (type) {
    case 'payout.paid':
      return paid;
    case 'payout.failed':
      return {
        ...paid,
        status: 'failed',
        providerReference: null,
        paidAt: null,
        failureReason: 'invalid_details',
        failureMessage: 'The account number is not valid.',
      };
    case 'payout.returned':
      return {
        ...paid,
        status: 'returned',
        failureReason: 'account_closed',
        failureMessage: 'The account is closed.',
      };
  }
}
