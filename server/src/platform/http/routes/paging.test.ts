import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  cursorList,
  decodeNumberCursor,
  encodeNumberCursor,
  offsetPage,
  orderedPageOf,
  PAGE_SIZE,
  pageRange,
  toOrderedPage,
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

const ORDERS = ['asc', 'desc'] as const;
const idAt = (number: number) => `ref_${String(number).padStart(26, '0')}`;

test('a page in either order continues behind its last row, and in that order only', () => {
  for (const order of ORDERS) {
    const page = toOrderedPage({ limit: 2, order }, 'ref');
    expect(page).toEqual({ limit: 2, order, behindId: null });
    const rows = [1, 2, 3].map((number) => ({ id: idAt(number) }));
    const { data, nextCursor } = orderedPageOf(rows, page);
    expect(data).toEqual(rows.slice(0, 2));
    const cursor = nextCursor as string;
    expect(toOrderedPage({ order, cursor }, 'ref')).toMatchObject({ order, behindId: idAt(2) });
    const other = order === 'asc' ? 'desc' : 'asc';
    expect(() => toOrderedPage({ order: other, cursor }, 'ref')).toThrow('cursor');
    expect(() => toOrderedPage({ order, cursor }, 'rwd')).toThrow('cursor');
    expect(orderedPageOf(rows.slice(0, 2), page).nextCursor).toBe(null);
  }
  expect(toOrderedPage({}, 'ref')).toEqual({ limit: 50, order: 'desc', behindId: null });
  expect(() => toOrderedPage({ order: 'asc', cursor: 'rubbish' }, 'ref')).toThrow('cursor');
});

test('a cursor by number is one of its order', () => {
  for (const list of ['rewards', 'payouts', 'events'] as const) {
    const [asc, desc] = [cursorList(list, 'asc'), cursorList(list, 'desc')];
    expect(decodeNumberCursor(asc, 'prj_1', encodeNumberCursor(asc, 'prj_1', 7))).toBe(7);
    expect(() => decodeNumberCursor(asc, 'prj_1', encodeNumberCursor(desc, 'prj_1', 7))).toThrow(
      'cursor',
    );
    expect(() => decodeNumberCursor(desc, 'prj_1', encodeNumberCursor(asc, 'prj_1', 7))).toThrow(
      'cursor',
    );
  }
});
