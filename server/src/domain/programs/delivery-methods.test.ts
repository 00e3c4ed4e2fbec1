import { expect, test } from 'vitest';
import {
  DEFAULT_DELIVERY,
  findDeliveryIssues,
  mergeDelivery,
  methodOptions,
} from './delivery-methods.ts';

test('a service’s own method is offered only once it is connected, payouts always (D-RWD-10)', () => {
  expect(methodOptions([])).toEqual({
    cash: ['operator', 'manual', 'payout'],
    credit: ['operator', 'manual'],
    discount: ['operator', 'manual'],
    custom: ['operator', 'manual'],
  });
  expect(methodOptions(['stripe_balance', 'stripe_coupon'])).toEqual({
    cash: ['operator', 'manual', 'payout'],
    credit: ['operator', 'manual', 'stripe_balance'],
    discount: ['operator', 'manual', 'stripe_coupon'],
    custom: ['operator', 'manual'],
  });
});

test('left out keeps, null brings the default back', () => {
  const current = { ...DEFAULT_DELIVERY, holdDays: 7, cashMethod: 'payout' };
  expect(mergeDelivery(current, {})).toEqual(current);
  expect(mergeDelivery(current, { holdDays: null, creditMethod: 'manual' })).toEqual({
    ...current,
    holdDays: 0,
    creditMethod: 'manual',
  });
});

test('a method that is not offered is refused where it stands', () => {
  const options = methodOptions([]);
  expect(
    findDeliveryIssues(
      DEFAULT_DELIVERY,
      { cashMethod: 'payout', customMethod: 'payout' },
      options,
    ).map(({ path }) => path),
  ).toEqual(['customMethod']);
});

test('a method that was lost with its connection may stay as it is', () => {
  const lost = { ...DEFAULT_DELIVERY, creditMethod: 'stripe_balance' };
  const same = { ...lost, holdDays: 3 };
  expect(findDeliveryIssues(lost, same, methodOptions([]))).toEqual([]);
  expect(findDeliveryIssues(DEFAULT_DELIVERY, same, methodOptions([]))).toMatchObject([
    { path: 'creditMethod' },
  ]);
});

test('a unit has one plan at most', () => {
  const upgrade = { unitKey: 'pro', plan: 'Pro', periods: 1 };
  const planUpgrades = [upgrade, { ...upgrade, unitKey: 'max' }, upgrade];
  expect(findDeliveryIssues(DEFAULT_DELIVERY, { planUpgrades }, methodOptions([]))).toEqual([
    { path: 'planUpgrades.2.unitKey', issue: expect.any(String) },
  ]);
});
