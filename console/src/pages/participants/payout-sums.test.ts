import { expect, it } from 'vitest';
import { payoutObstacle, payoutSums } from './payout-sums.ts';

type Reward = Parameters<typeof payoutSums>[0][number];
const cash = (
  net: string,
  fulfillmentStatus: Reward['fulfillmentStatus'],
  reason: Reward['delivery']['reason'] = null,
  changes: Partial<Reward> = {},
): Reward =>
  ({
    benefitKind: 'cash',
    money: { amountMinor: net, netAmountMinor: net, currency: 'EUR', currencyExponent: 2 },
    fulfillmentStatus,
    delivery: { method: 'payout', status: 'pending', reason, providerReference: null },
    void: null,
    ...changes,
  }) as Reward;

it('adds up what is paid and what waits, and leaves out what is owed no more', () => {
  const voided = { id: 'void_1', reasonCode: 'fraud', reason: null, voidedAt: '' } as const;
  const sums = payoutSums([
    cash('100', 'fulfilled'),
    cash('20', 'pending'),
    cash('3', 'in_progress'),
    cash('1000', 'cancelled'),
    cash('5000', 'fulfilled', null, { void: voided }),
    cash('7', 'pending', null, { benefitKind: 'credit' }),
  ]);
  expect(sums).toEqual([{ currency: 'EUR', exponent: 2, paidMinor: '100', waitingMinor: '23' }]);
});

it('says what stands in the way of a payout, what is worst first', () => {
  expect(payoutObstacle([cash('1', 'pending', 'awaiting_payout')])).toBeNull();
  expect(payoutObstacle([cash('1', 'pending', 'awaiting_payout_details')])).toContain('where');
  expect(payoutObstacle([cash('1', 'pending', 'below_minimum')])).toContain('carried over');
  const both = [cash('1', 'pending', 'below_minimum'), cash('1', 'pending', 'payout_returned')];
  expect(payoutObstacle(both)).toContain('came back');
  expect(payoutObstacle([cash('1', 'fulfilled', 'payout_failed')])).toBeNull();
});
