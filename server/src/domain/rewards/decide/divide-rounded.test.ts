import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ROUNDING_POLICIES } from '../../programs/rules/benefit-words.ts';
import { divideRounded } from './divide-rounded.ts';

const numerators = fc.bigInt({ min: 0n, max: 10n ** 22n });
const denominators = fc.bigInt({ min: 1n, max: 10n ** 18n });
const policies = fc.constantFrom(...ROUNDING_POLICIES);

test.each([
  // numerator, denominator, [half_up, half_even, down, up]
  [0n, 10n, [0n, 0n, 0n, 0n]],
  [4n, 10n, [0n, 0n, 0n, 1n]],
  [5n, 10n, [1n, 0n, 0n, 1n]],
  [6n, 10n, [1n, 1n, 0n, 1n]],
  [10n, 10n, [1n, 1n, 1n, 1n]],
  [14n, 10n, [1n, 1n, 1n, 2n]],
  [15n, 10n, [2n, 2n, 1n, 2n]],
  [25n, 10n, [3n, 2n, 2n, 3n]],
  [26n, 10n, [3n, 3n, 2n, 3n]],
  [1n, 3n, [0n, 0n, 0n, 1n]],
  [2n, 3n, [1n, 1n, 0n, 1n]],
] as const)(
  '%d / %d is rounded as its policy says (D-TERM-4)',
  (n, d, [halfUp, halfEven, down, up]) => {
    expect(divideRounded(n, d, 'half_up')).toBe(halfUp);
    expect(divideRounded(n, d, 'half_even')).toBe(halfEven);
    expect(divideRounded(n, d, 'down')).toBe(down);
    expect(divideRounded(n, d, 'up')).toBe(up);
  },
);

test('rounding moves a quotient by less than one, and by at most a half where it rounds to the nearest', () => {
  fc.assert(
    fc.property(numerators, denominators, policies, (n, d, policy) => {
      const off = divideRounded(n, d, policy) * d - n;
      const size = off < 0n ? -off : off;
      if (policy.startsWith('half')) expect(2n * size <= d).toBe(true);
      expect(size < d).toBe(true);
      if (policy === 'down') expect(off <= 0n).toBe(true);
      if (policy === 'up') expect(off >= 0n).toBe(true);
    }),
  );
});

test('what divides evenly is never rounded', () => {
  fc.assert(
    fc.property(numerators, denominators, policies, (quotient, d, policy) => {
      expect(divideRounded(quotient * d, d, policy)).toBe(quotient);
    }),
  );
});

test('an exact half goes up, or to the even neighbour', () => {
  fc.assert(
    fc.property(numerators, denominators, (quotient, d) => {
      const half = (2n * quotient + 1n) * d;
      expect(divideRounded(half, 2n * d, 'half_up')).toBe(quotient + 1n);
      const even = divideRounded(half, 2n * d, 'half_even');
      expect(even % 2n).toBe(0n);
    }),
  );
});
