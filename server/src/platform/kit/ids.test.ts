import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeBase32, makeNewId } from './ids.ts';

test('an id is its prefix and 26 lower-case Crockford characters (D-GEN-2)', () => {
  const newId = makeNewId(() => 1_763_200_000_000);
  expect(newId('par')).toMatch(/^par_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
});

test('ids sort by the time they were made', () => {
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 31 }), fc.integer({ min: 1, max: 2 ** 31 }), (ms, later) => {
      const [a, b] = [makeNewId(() => ms)('par'), makeNewId(() => ms + later)('par')];
      expect(a < b).toBe(true);
    }),
  );
});

test('ten thousand ids of one millisecond are different, and sort as they were made', () => {
  const newId = makeNewId(() => 0);
  const ids = Array.from({ length: 10_000 }, () => newId('par'));
  expect(new Set(ids).size).toBe(10_000);
  expect(ids.toSorted()).toEqual(ids);
});

test('two makers do not follow each other', () => {
  const [one, other] = [makeNewId(() => 0), makeNewId(() => 0)];
  expect(one('par').slice(4, 20)).not.toBe(other('par').slice(4, 20));
});

test('base32 keeps every bit', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      const digits = '0123456789abcdefghjkmnpqrstvwxyz';
      const number = [...encodeBase32(bytes)].reduce(
        (sum, char) => sum * 32n + BigInt(digits.indexOf(char)),
        0n,
      );
      expect(number).toBe(BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
    }),
  );
});
