import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeNumberCursor, encodeNumberCursor } from './number-cursor.ts';

test('a cursor leads back to the number it was made of', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999_999_999 }), (number) => {
      expect(decodeNumberCursor('rewards', encodeNumberCursor('rewards', number))).toBe(number);
    }),
  );
});

test('what is no cursor is refused, never passed to the database', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'rewards 0',
      'rewards -1',
      'rewards 1e3',
      'rewards 9999999999999999',
      'rewards',
      'rewards 1 2',
      'payouts 1',
    ),
  );
  fc.assert(
    fc.property(texts, (text) => {
      fc.pre(text !== '');
      const cursor = Buffer.from(text).toString('base64url');
      expect(() => decodeNumberCursor('rewards', cursor)).toThrow(/cursor/);
    }),
  );
});
