import { expect, test } from 'vitest';
import type { Reward } from './api-types.ts';
import {
  formatBenefit,
  formatDayAfter,
  formatDays,
  formatMoney,
  formatReward,
  toDecimal,
} from './format.ts';
import { toLanguage } from './texts.ts';

test.each([
  ['0', 2, '0.00'],
  ['5', 2, '0.05'],
  ['-5', 2, '-0.05'],
  ['-1250', 2, '-12.50'],
  ['1250', 0, '1250'],
  ['1', 3, '0.001'],
  ['900719925474099312', 2, '9007199254740993.12'],
])('%s with %d decimals is %s', (minor, exponent, decimal) => {
  expect(toDecimal(minor, exponent)).toBe(decimal);
});

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

test.for([
  ['en-US', '1250', 'USD', 2, '$12.50'],
  ['de-DE', '123450', 'EUR', 2, '1.234,50 €'],
  ['ja-JP', '1250', 'JPY', 0, '￥1,250'],
  ['en-US', '1250', 'KWD', 3, 'KWD 1.250'],
  ['en-US', '1250', 'USD', 4, '$0.1250'],
  // From right to left, with its letters together.
  ['ar', '1250', 'USD', 2, '\u200f12.50 \u2066US$\u2069'],
  // More digits than a floating-point number has.
  ['en-US', '900719925474099312', 'USD', 2, '$9,007,199,254,740,993.12'],
] as const)(
  'in %s, %s of %s with %d decimals is %s',
  ([locale, minor, currency, exponent, text]) => {
    expect(plain(formatMoney(locale, minor, currency, exponent))).toBe(text);
  },
);

const reward = (what: Partial<Reward>): Reward => ({
  id: 'rwd_1',
  date: '2026-11-15T09:30:00.000Z',
  role: 'referrer',
  benefitKind: 'cash',
  money: null,
  discount: null,
  custom: null,
  status: 'pending',
  action: null,
  availableAt: '2026-11-15T09:30:00.000Z',
  holdReason: null,
  ...what,
});
const english = toLanguage('en', 'en-US', {});
const custom = { validityDays: null, unitName: 'seat', unitNamePlural: 'seats' };
const money = { amountMinor: '1000', netAmountMinor: '900', currency: 'USD', currencyExponent: 2 };

test.each([
  [{ money }, '$9.00'],
  [{ money, benefitKind: 'credit' as const }, '$9.00 credit'],
  [{ discount: { rateBps: 1_250 } }, '12.5% discount'],
  [{ custom: { ...custom, quantity: 1 } }, '1 seat'],
  [{ custom: { ...custom, quantity: 1_200 } }, '1,200 seats'],
])('a reward %j is told as %s', (what, text) => {
  expect(formatReward(english, reward(what))).toBe(text);
});

test.each([
  [{ benefitKind: 'cash', rateBps: 2_500, fixedAmountMinor: null }, '25%'],
  // The currency is that of the measure.
  [{ benefitKind: 'cash', rateBps: 150, fixedAmountMinor: null, currency: 'USD' }, '1.5%'],
  [{ benefitKind: 'discount', rateBps: 1_000 }, '10% discount'],
  [{ benefitKind: 'cash', fixedAmountMinor: '900', currency: 'USD', currencyExponent: 2 }, '$9.00'],
  [{ benefitKind: 'custom', quantity: 2, unitName: 'seat', unitNamePlural: 'seats' }, '2 seats'],
] as const)('a step that gives %j is told as %s', (benefit, text) => {
  expect(formatBenefit(english, benefit)).toBe(text);
});

test('days have the plural of the language', () => {
  expect([formatDays('en', 1), formatDays('en', 30), formatDays('de', 30)]).toEqual([
    '1 day',
    '30 days',
    '30 Tage',
  ]);
});

test('a change counts from a day after it was saved', () => {
  const saved = new Date(2026, 10, 15, 9, 30).toISOString();
  expect(plain(formatDayAfter('en-US', saved))).toBe('Nov 16, 2026, 9:30 AM');
});
