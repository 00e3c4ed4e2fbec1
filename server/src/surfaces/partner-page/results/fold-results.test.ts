import fc from 'fast-check';
import { expect, test } from 'vitest';
import { daysBefore } from '../../views/figures/day-range.ts';
import { DayNumbers } from '../../views/figures/fold-daily.ts';
import { PERIODS, readChoice, writeChoice } from './choice.ts';
import { currenciesOf, numberOf, toBars, topOf } from './fold-results.ts';

const numbers = (counts: Record<string, number>) => {
  const day = new DayNumbers();
  for (const [name, value] of Object.entries(counts)) day.add(name, BigInt(value));
  return day;
};

test.each([
  [{}, { days: 30, metric: 'referrals', currency: null }],
  [
    { days: '365', metric: 'sales', currency: 'EUR' },
    { days: 365, metric: 'sales', currency: 'EUR' },
  ],
  [
    { days: '31', metric: 'all', currency: 'euro' },
    { days: 30, metric: 'referrals', currency: null },
  ],
  [
    { days: ['90', '30'], metric: ['sales'] },
    { days: 30, metric: 'referrals', currency: null },
  ],
])('the choice in the query %o', (query, choice) => {
  expect(readChoice(query)).toEqual(choice);
  const written = Object.fromEntries(new URLSearchParams(writeChoice(readChoice(query))));
  expect(readChoice(written)).toEqual(choice);
});

test('a year is drawn by week from Monday to Sunday, shorter periods by day', () => {
  const year = toBars(daysBefore('2026-11-19', 365), () => undefined);
  expect(year).toHaveLength(53);
  expect(year[0]).toMatchObject({ from: '2025-11-19', to: '2025-11-23' });
  expect(year[1]).toMatchObject({ from: '2025-11-24', to: '2025-11-30' });
  expect(year.at(-1)).toMatchObject({ from: '2026-11-16', to: '2026-11-18' });
  const month = toBars(daysBefore('2026-11-19', 30), () => undefined);
  expect(month.map(({ from, to }) => [from, to]).at(-1)).toEqual(['2026-11-18', '2026-11-18']);
  expect(month).toHaveLength(30);
});

test('bars have every day once, whatever the period', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PERIODS), fc.nat(20_000), (count, start) => {
      const until = new Date(start * 86_400_000).toISOString().slice(0, 10);
      const days = daysBefore(until, count);
      const bars = toBars(days, () => numbers({ clicks: 1 }));
      const clicks = bars.map((bar) => numberOf(bar.numbers, 'clicks', undefined));
      expect(clicks.reduce((sum, one) => sum + one, 0n)).toBe(BigInt(count));
      expect(bars[0]?.from).toBe(days[0]);
      expect(bars.at(-1)?.to).toBe(days.at(-1));
    }),
  );
});

test('amounts are those of one currency; the currency of the most bars comes first', () => {
  const [usd, eur] = [numbers({ 'revenue:USD': 5 }), numbers({ 'net:EUR': 7, 'revenue:EUR': 70 })];
  const days = ['2026-11-16', '2026-11-17', '2026-11-18'];
  const bars = toBars(days, (day) => (day === days[0] ? usd : eur));
  expect(currenciesOf(bars)).toEqual(['EUR', 'USD']);
  expect(numberOf(eur, 'sales', 'EUR')).toBe(70n);
  expect(numberOf(eur, 'earned', 'EUR')).toBe(7n);
  expect(numberOf(eur, 'sales', 'USD')).toBe(0n);
  expect(numberOf(eur, 'sales', undefined)).toBe(0n);
  expect(currenciesOf(toBars(days, () => undefined))).toEqual([]);
});

test.each([
  [0n, 1n, 2n],
  [2n, 1n, 2n],
  [3n, 1n, 4n],
  [5n, 1n, 6n],
  [7n, 1n, 8n],
  [9n, 1n, 10n],
  [11n, 1n, 20n],
  [150n, 100n, 200n],
  [99_999n, 100n, 100_000n],
])('a scale for up to %s with units of %s ends at %s', (highest, unit, top) => {
  expect(topOf([0n, highest], unit)).toBe(top);
});

test('a scale covers its highest value, wastes little, and its half is whole', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 18n), fc.constantFrom(1n, 100n, 1_000n), (highest, unit) => {
      const top = topOf([0n, highest], unit);
      expect(top).toBeGreaterThanOrEqual(highest);
      expect((top / 2n) % unit).toBe(0n);
      if (highest > 2n * unit) expect(top).toBeLessThanOrEqual(highest * 2n);
    }),
  );
});
