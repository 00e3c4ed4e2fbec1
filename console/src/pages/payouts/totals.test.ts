import { expect, test } from 'vitest';
import { addUp, inOrder } from './totals.ts';

test('what needs somebody is told first', () => {
  const counts = [
    { status: 'cancelled', count: 1 },
    { status: 'paid', count: 2 },
    { status: 'failed', count: 3 },
    { status: 'processing', count: 4 },
  ] as const;
  const order = inOrder([...counts]).map(({ status }) => status);
  expect(order).toEqual(['failed', 'processing', 'paid', 'cancelled']);
});

test('sums are exact, one for each currency', () => {
  const of = (amountMinor: string, currency: string) => ({
    amountMinor,
    currency,
    currencyExponent: 2,
  });
  expect(addUp([of('9007199254740993', 'EUR'), of('5', 'USD'), of('-1', 'EUR')])).toEqual([
    of('9007199254740992', 'EUR'),
    of('5', 'USD'),
  ]);
});
