import { expect, test } from 'vitest';
import { DELIVERY_REASONS, FULFILLMENT_STATUSES } from '../../domain/rewards/decide/states.ts';
import type { Reward } from '../../domain/rewards/schema.ts';
import { readerFor } from './reader.ts';
import { describeBenefit, describeReward } from './status-words.ts';

const reader = readerFor('en', 'en-US');
const aReward = (change: Partial<Reward> = {}) =>
  ({
    id: 'rwd_1',
    benefitKind: 'cash',
    fulfillmentStatus: 'pending',
    availableAt: '2026-12-01T00:00:00.000Z',
    void: null,
    delivery: { method: 'payout', status: 'pending', reason: null, providerReference: null },
    money: null,
    discount: null,
    custom: null,
    ...change,
  }) as Reward;
const waitingFor = (reason: Reward['delivery']['reason'], status = 'pending') =>
  aReward({ delivery: { ...aReward().delivery, reason, status } as Reward['delivery'] });
const told = (reward: Reward, isSuspended = false) => {
  const { tone, label, note } = describeReward(reward, isSuspended, reader);
  return note === null ? `${tone}: ${label}` : `${tone}: ${label}. ${note}`;
};

test('every state is told in words of whom it belongs to', () => {
  const byStatus = Object.fromEntries(
    FULFILLMENT_STATUSES.map((fulfillmentStatus) => [
      fulfillmentStatus,
      told(aReward({ fulfillmentStatus })),
    ]),
  );
  expect(byStatus).toEqual({
    pending: 'wait: Pending',
    in_progress: 'wait: On its way',
    fulfilled: 'good: Paid',
    failed: 'bad: Failed. It could not be delivered. Contact the people who run the program.',
    cancelled: 'off: Cancelled',
    revocation_pending: 'off: Taken back',
    revoked: 'off: Taken back',
  });
  const granted = aReward({ fulfillmentStatus: 'fulfilled', benefitKind: 'discount' });
  expect(told(granted)).toBe('good: Granted');
  const voided = { id: 'void_1', reasonCode: 'fraud', reason: null, voidedAt: '' } as const;
  expect(told(aReward({ fulfillmentStatus: 'fulfilled', void: voided }))).toBe(
    'off: Cancelled. The amount paid for it is deducted from later payouts.',
  );
});

test('what is waited for is told, and nothing that is not theirs to know', () => {
  const byReason = Object.fromEntries(
    DELIVERY_REASONS.map((reason) => [reason, told(waitingFor(reason))]),
  );
  expect(byReason).toEqual({
    hold_period: 'wait: On hold. Until Dec 1, 2026.',
    risk_review: 'wait: Pending. The referral is being checked.',
    dispute_open: 'wait: Pending. The purchase is disputed.',
    awaiting_operator: 'wait: Pending',
    awaiting_manual: 'wait: Pending',
    awaiting_payout_details: 'wait: Pending. Add your payout details to be paid.',
    awaiting_payout: 'wait: Pending. It is included in the next payout.',
    above_maximum:
      'wait: Pending. It is above the maximum of one payout. Contact the people who run the program.',
    below_minimum: 'wait: Pending. It is paid when the minimum payout amount is reached.',
    awaiting_billing_account: 'wait: Pending',
    provider_pending: 'wait: Pending',
    provider_error: 'wait: Pending',
    provider_rejected: 'wait: Pending',
    payout_failed: 'wait: Pending. The last payout failed. It is included in the next one.',
    payout_returned: 'wait: Pending. The last payout was returned. It is included in the next one.',
    voided: 'wait: Pending',
    refunded: 'wait: Pending',
  });
  expect(told(waitingFor('dispute_open', 'on_hold'))).toBe(
    'wait: On hold. The purchase is disputed.',
  );
  expect(told(waitingFor('awaiting_payout'), true)).toBe('wait: On hold. You are suspended.');
  expect(told({ ...waitingFor('refunded'), fulfillmentStatus: 'cancelled' })).toBe(
    'off: Cancelled. The purchase was refunded.',
  );
});

test('a benefit is told as money, a discount or units', () => {
  const money = {
    amountMinor: '2000',
    netAmountMinor: '1500',
    currency: 'USD',
    currencyExponent: 2,
  };
  const custom = { quantity: 1, unitName: 'gigabyte', unitNamePlural: 'gigabytes' };
  const benefits = [
    aReward({ money }),
    aReward({ discount: { rateBps: 1_250, durationMode: 'once', durationMonths: null } }),
    aReward({ custom: custom as Reward['custom'] }),
    aReward({ custom: { ...custom, quantity: 2_000 } as Reward['custom'] }),
  ].map((reward) => describeBenefit(reward, reader));
  expect(benefits).toEqual(['$15.00', '12.5% off', '1 gigabyte', '2,000 gigabytes']);
});
