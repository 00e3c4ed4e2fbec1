import fc from 'fast-check';
import { expect, test } from 'vitest';
import { offsetPage, PAGE_SIZE, pageRange } from './offset-paging.ts';

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
