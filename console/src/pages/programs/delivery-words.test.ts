import { expect, test } from 'vitest';
import { hastyEndpoints, missingMethod } from './delivery-words.ts';

const OPTIONS = {
  cash: ['operator', 'manual', 'payout'],
  credit: ['operator', 'manual'],
  discount: ['operator', 'manual', 'stripe_coupon'],
  custom: ['operator', 'manual'],
};

test('a method that a connection would add is told, and only then', () => {
  expect(missingMethod('credit', OPTIONS)).toBe('stripe_balance');
  expect(missingMethod('discount', OPTIONS)).toBeNull();
  expect(missingMethod('cash', OPTIONS)).toBeNull();
  expect(missingMethod('custom', OPTIONS)).toBeNull();
});

test('a warning when an answer would mark as granted what is given by hand (D-RWD-8)', () => {
  const endpoint = {
    url: 'https://example.com/hook',
    enabled: true,
    fulfillmentMode: 'on_delivery',
    eventTypes: ['reward.earned', 'reward.voided'],
  };
  expect(hastyEndpoints(['operator', 'manual'], [endpoint])).toEqual([endpoint]);
  expect(hastyEndpoints(['operator', 'payout'], [endpoint])).toEqual([]);
  for (const change of [
    { enabled: false },
    { fulfillmentMode: 'explicit' },
    { eventTypes: ['reward.voided'] },
  ]) {
    expect(hastyEndpoints(['manual'], [{ ...endpoint, ...change }])).toEqual([]);
  }
});
