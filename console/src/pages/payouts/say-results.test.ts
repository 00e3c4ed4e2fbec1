import { expect, it } from 'vitest';
import type { Verdict } from './check-results.ts';
import { sayResults } from './say-results.ts';

const ready = (outcome: string, amountMinor: string, currency: string) =>
  ({
    kind: 'ready',
    row: { outcome },
    payout: { amountMinor, currency, currencyExponent: 2 },
  }) as Verdict;

it('says how many transfers came to what, and how much that is in each currency', () => {
  const left = { kind: 'refused', row: { outcome: 'paid' }, why: '' } as Verdict;
  const lines = [
    ready('paid', '1000', 'EUR'),
    ready('failed', '300', 'EUR'),
    ready('paid', '250', 'EUR'),
    ready('paid', '1', 'USD'),
    left,
  ];
  expect(sayResults(lines)).toBe(' 3 transfers paid, €12.50 and $0.01; 1 transfer failed, €3.00.');
  expect(sayResults([left])).toBe('');
});
