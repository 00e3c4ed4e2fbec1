import { expect, test } from 'vitest';
import {
  currenciesOf,
  type Day,
  type Figures,
  formatGrowth,
  formatShare,
  formatTimes,
  growthOf,
  metricValue,
} from './numbers.ts';

const sum = (currency: string, netAmountMinor: string, currencyExponent = 2) => ({
  currency,
  currencyExponent,
  netAmountMinor,
  amountMinor: netAmountMinor,
  paidAmountMinor: '0',
});
const day = (changes: Partial<Day>): Day => ({
  day: '2026-11-15',
  clicks: 0,
  signups: 0,
  referrals: 0,
  converted: 0,
  conversionBps: null,
  purchases: 0,
  customers: 0,
  revenue: [],
  rewards: 0,
  voidedRewards: 0,
  money: [],
  units: [],
  allSignups: 0,
  allPurchases: 0,
  ...changes,
});
const figures = (days: readonly Day[], total: Day, previous: Day | null = null): Figures => ({
  from: '2026-11-15',
  to: '2026-11-15',
  days: [...days],
  total,
  previous: previous && { from: '2026-11-14', to: '2026-11-14', total: previous },
  programs: [],
});
const USD = { code: 'USD', exponent: 2 };

test('the currency in which people buy on most days comes first; none is left out', () => {
  const eur = day({ revenue: [sum('EUR', '100')] });
  const usd = day({ revenue: [sum('USD', '100')] });
  const total = day({
    revenue: [sum('EUR', '100'), sum('USD', '200')],
    money: [sum('JPY', '5', 0)],
  });
  const before = day({ money: [sum('CHF', '1')] });
  const found = currenciesOf(figures([eur, usd, usd], total, before));
  expect(found.map(({ code }) => code)).toEqual(['USD', 'EUR', 'CHF', 'JPY']);
  expect(found.at(-1)).toEqual({ code: 'JPY', exponent: 0 });
});

test('amounts of other currencies do not count', () => {
  const totals = day({
    revenue: [sum('EUR', '900'), sum('USD', '1050')],
    money: [sum('EUR', '3')],
  });
  expect(metricValue('revenue', totals, USD)).toBe(10.5);
  expect(metricValue('cost', totals, USD)).toBe(0);
  expect(metricValue('return', totals, USD)).toBeNull();
  expect(metricValue('revenue', totals, undefined)).toBe(0);
});

test('the return is revenue divided by cost', () => {
  const totals = day({ revenue: [sum('USD', '1050')], money: [sum('USD', '500')] });
  expect(metricValue('return', totals, USD)).toBe(2.1);
  expect(metricValue('clicks', day({ clicks: 3 }), USD)).toBe(3);
});

test.each([
  [12, 10, 0.2],
  [5, 10, -0.5],
  [0, 10, -1],
  [10, 0, null],
  [null, 10, null],
  [10, null, null],
])('from %j before: %j', (now, before, growth) => {
  expect(growthOf(now, before)).toBe(growth);
});

test('numbers as text', () => {
  expect([0.124, -0.5, 0.001, 12].map(formatGrowth)).toEqual(['+12%', '−50%', '0%', '+1,200%']);
  expect([2.14, 0, 1234].map(formatTimes)).toEqual(['2.1×', '0.0×', '1,234×']);
  expect([formatShare(1, 3), formatShare(1, 30), formatShare(1, 0)]).toEqual(['33%', '3.3%', '–']);
});
