import { describe, expect, it } from 'vitest';
import { cashSums, payoutObstacle } from './payout-sums.ts';

type Reward = Parameters<typeof cashSums>[0][number];
type Payout = Parameters<typeof cashSums>[1][number];
let count = 0;
const cash = (
  net: string,
  fulfillmentStatus: Reward['fulfillmentStatus'],
  reason: Reward['delivery']['reason'] = null,
  changes: Partial<Reward> = {},
): Reward => {
  count += 1;
  return {
    id: `rwd_${count}`,
    benefitKind: 'cash',
    money: { amountMinor: net, netAmountMinor: net, currency: 'EUR', currencyExponent: 2 },
    fulfillmentStatus,
    delivery: { method: 'payout', status: 'pending', reason, providerReference: null },
    void: null,
    ...changes,
  } as Reward;
};
const payout = (status: Payout['status'], lines: readonly (readonly [Reward, string])[]): Payout =>
  ({
    status,
    currency: 'EUR',
    currencyExponent: 2,
    rewards: lines.map(([{ id }, amountMinor]) => ({ rewardId: id, amountMinor })),
  }) as Payout;
const voided = { id: 'void_1', reasonCode: 'fraud', reason: null, voidedAt: '' } as const;
const sum = { currency: 'EUR', exponent: 2 };

describe('how the cash of somebody stands', () => {
  it('what was paid stays paid when it is refunded or voided later, and comes off the next', () => {
    const kept = cash('200', 'fulfilled');
    const refunded = cash('0', 'fulfilled');
    const taken = cash('300', 'fulfilled', null, { void: voided });
    const fresh = cash('100', 'pending');
    const paid = payout('paid', [
      [kept, '200'],
      [refunded, '200'],
      [taken, '300'],
    ]);
    expect(cashSums([kept, refunded, taken, fresh], [paid])).toEqual([
      { ...sum, earnedMinor: '300', paidMinor: '700', dueMinor: '-400' },
    ]);
  });

  it('a transfer that failed, came back or is not made yet paid nothing', () => {
    const one = cash('500', 'pending');
    const others = (['failed', 'returned', 'processing', 'draft'] as const).map((status) =>
      payout(status, [[one, '500']]),
    );
    expect(cashSums([one], others)).toEqual([
      { ...sum, earnedMinor: '500', paidMinor: '0', dueMinor: '500' },
    ]);
  });

  it('what your product pays by itself is earned, and no payout owes it; credit is no cash', () => {
    const delivery = { method: 'operator', status: 'pending', reason: null } as const;
    const byHand = cash('70', 'fulfilled', null, { delivery } as Partial<Reward>);
    expect(cashSums([byHand, cash('7', 'pending', null, { benefitKind: 'credit' })], [])).toEqual([
      { ...sum, earnedMinor: '70', paidMinor: '0', dueMinor: '0' },
    ]);
  });
});

it('says what stands in the way of a payout, what is worst first', () => {
  expect(payoutObstacle([cash('1', 'pending', 'awaiting_payout')], [])).toBeNull();
  expect(payoutObstacle([cash('1', 'pending', 'awaiting_payout_details')], [])).toContain(
    'payout details yet',
  );
  expect(payoutObstacle([cash('1', 'pending', 'below_minimum')], [])).toContain('carried over');
  expect(payoutObstacle([cash('1', 'pending', 'below_minimum')], [])).not.toContain('owe');
  const both = [cash('1', 'pending', 'below_minimum'), cash('1', 'pending', 'payout_returned')];
  expect(payoutObstacle(both, [])).toContain('was returned');
  expect(payoutObstacle([cash('1', 'fulfilled', 'payout_failed')], [])).toBeNull();
});

it('says that somebody owes, and how much, instead of naming the minimum', () => {
  const rewards = [cash('1', 'pending', 'below_minimum')];
  const debt = { ...sum, earnedMinor: '100', paidMinor: '1350', dueMinor: '-1250' };
  expect(payoutObstacle(rewards, [debt])).toMatch(/^They owe €12\.50: /);
  expect(payoutObstacle(rewards, [debt])).not.toContain('minimum');
  expect(payoutObstacle(rewards, null)).toContain('or they owe');
});
