import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COUNTED_MAX, toListCount, toTotals } from './totals.ts';

test('a count is exact until more rows were looked at than are counted', () => {
  expect(toListCount({ looked: COUNTED_MAX, count: 7 })).toEqual({ count: 7, isMore: false });
  expect(toListCount({ looked: COUNTED_MAX + 1, count: 7 })).toEqual({ count: 7, isMore: true });
  expect(toListCount({ looked: COUNTED_MAX + 1, count: COUNTED_MAX + 1 })).toEqual({
    count: COUNTED_MAX,
    isMore: true,
  });
});

const group = fc
  .record({
    currency: fc.constantFrom('USD', 'EUR', 'JPY', null),
    matching: fc.nat(4_000),
    others: fc.nat(4_000),
  })
  .map(({ currency, matching, others }) => ({
    currency,
    currencyExponent: currency === null ? null : 2,
    looked: matching + others,
    count: matching,
  }));

test('totals count all groups, and name sums only of money, of all rows or of none', () => {
  fc.assert(
    fc.property(fc.uniqueArray(group, { selector: ({ currency }) => currency }), (groups) => {
      const { count, isMore, groups: shown } = toTotals(groups);
      const looked = groups.reduce((sum, one) => sum + one.looked, 0);
      const counted = groups.reduce((sum, one) => sum + one.count, 0);
      expect(count).toBe(Math.min(counted, COUNTED_MAX));
      expect(isMore).toBe(looked > COUNTED_MAX);
      expect(shown === null).toBe(isMore);
      const wanted = groups.filter((one) => one.currency !== null && one.count > 0);
      if (shown) expect(new Set(shown)).toEqual(new Set(wanted));
      const names = (shown ?? []).map(({ currency }) => currency);
      expect(names).toEqual(names.toSorted());
    }),
  );
});
