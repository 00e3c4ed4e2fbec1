import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  decodeNumberCursor,
  encodeNumberCursor,
  offsetPage,
  PAGE_SIZE,
  pageRange,
} from './paging.ts';

test('a cursor leads back to the number it was made of', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999_999_999 }), (number) => {
      const cursor = encodeNumberCursor('rewards', 'prj_1', number);
      expect(decodeNumberCursor('rewards', 'prj_1', cursor)).toBe(number);
      expect(() => decodeNumberCursor('rewards', 'prj_2', cursor)).toThrow(/cursor/);
      expect(() => decodeNumberCursor('payouts', 'prj_1', cursor)).toThrow(/cursor/);
    }),
  );
});

test('what is no cursor is refused, never passed to the database', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'rewards prj_1 0',
      'rewards prj_1 -1',
      'rewards prj_1 1e3',
      'rewards prj_1 9999999999999999',
      'rewards',
      'rewards 1',
      'rewards prj_1 1 2',
      'payouts prj_1 1',
    ),
  );
  fc.assert(
    fc.property(texts, (text) => {
      fc.pre(text !== '');
      const cursor = Buffer.from(text).toString('base64url');
      expect(() => decodeNumberCursor('rewards', 'prj_1', cursor)).toThrow(/cursor/);
    }),
  );
});

test('following nextOffset shows every row once, newest first (D-GEN-9)', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 500 }), (length) => {
      const seen: number[] = [];
      for (let offset: number | null = 0; offset !== null; ) {
        const { above, upTo } = pageRange(length, offset);
        for (let number = upTo; number > above; number -= 1) seen.push(number);
        expect(upTo - above).toBeLessThanOrEqual(PAGE_SIZE);
        const page = offsetPage(length, offset);
        expect(page.hasMore).toBe(page.nextOffset !== null);
        offset = page.nextOffset === null ? null : Number(page.nextOffset);
      }
      expect(seen).toEqual(Array.from({ length }, (_, index) => length - index));
    }),
  );
});

test('beyond the end a page is empty', () => {
  expect(pageRange(10, 999_999_999)).toEqual({ above: 0, upTo: 0 });
  expect(offsetPage(10, 999_999_999)).toEqual({ hasMore: false, nextOffset: null });
});
