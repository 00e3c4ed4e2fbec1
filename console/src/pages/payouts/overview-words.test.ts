import { expect, test } from 'vitest';
import { amountIn, describeReason, sayGroup, saySums } from './overview-words.ts';

test('sums of several currencies read as one sentence', () => {
  const sum = (currency: string, amountMinor: string) => ({
    currency,
    currencyExponent: 2,
    amountMinor,
    peopleCount: 1,
  });
  expect(saySums([sum('USD', '1250'), sum('EUR', '300')])).toMatch(/12\.50.* and .*3\.00/);
  expect(saySums([])).toBe('');
});

test('every reason of the service has words, and an unknown one is shown as it is', () => {
  for (const reason of [
    'other_delivery_method',
    'suspended',
    'on_hold',
    'debt',
    'awaiting_payout_details',
    'account_not_connected',
    'below_minimum',
    'above_maximum',
  ]) {
    expect(describeReason(reason).label).not.toBe(reason);
  }
  expect(describeReason('something_new').label).toBe('something_new');
});

test('what they owe is a number above zero; what they are owed keeps its sign', () => {
  expect(amountIn('debt', '-1000')).toBe('1000');
  expect(amountIn('on_hold', '-1000')).toBe('-1000');
  const sums = [{ currency: 'USD', currencyExponent: 2, amountMinor: '-1250', peopleCount: 1 }];
  expect(sayGroup({ reason: 'debt', sums })).not.toContain('-');
  expect(sayGroup({ reason: 'on_hold', sums })).toContain('-');
});
