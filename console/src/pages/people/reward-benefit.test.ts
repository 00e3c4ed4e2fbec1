import { expect, it } from 'vitest';
import { formatMinor } from '../../ui/money.tsx';
import { benefitText, originalText, totalText } from './reward-benefit.ts';

const money = (netAmountMinor: string, amountMinor = netAmountMinor, currency = 'EUR') => ({
  benefitKind: 'cash' as const,
  money: { amountMinor, netAmountMinor, currency, currencyExponent: 2 },
  discount: null,
  custom: null,
});
const books = (quantity: number) => ({
  benefitKind: 'custom' as const,
  money: null,
  discount: null,
  custom: {
    quantity,
    customUnitId: 'unit_1',
    unitKey: 'book',
    unitName: 'book',
    unitNamePlural: 'books',
    validityDays: null,
    plan: null,
    periods: null,
  },
});
const off = (
  durationMode: 'once' | 'months' | 'forever',
  durationMonths: number | null = null,
) => ({
  benefitKind: 'discount' as const,
  money: null,
  discount: { rateBps: 1000, durationMode, durationMonths },
  custom: null,
});

it('says what a reward is worth after refunds, and what it was before', () => {
  expect(benefitText(money('360', '560'))).toBe(formatMinor('360', 'EUR', 2));
  expect(originalText(money('360', '560'))).toBe(formatMinor('560', 'EUR', 2));
  expect(originalText(money('560'))).toBeNull();
});

it('says discounts and units as people do', () => {
  expect(benefitText(off('once'))).toBe('10% off, once');
  expect(benefitText(off('months', 1))).toBe('10% off, for 1 month');
  expect(benefitText(off('months', 3))).toBe('10% off, for 3 months');
  expect(benefitText(off('forever'))).toBe('10% off, for ever');
  expect([books(1), books(2)].map(benefitText)).toEqual(['1 book', '2 books']);
});

it('adds up only what can be added', () => {
  const total = totalText([
    money('100'),
    money('250'),
    money('5', '5', 'USD'),
    books(2),
    books(2),
    off('once'),
  ]);
  expect(total).toBe(
    `${formatMinor('350', 'EUR', 2)}, ${formatMinor('5', 'USD', 2)}, 4 books, 1 discount of 10%`,
  );
});
