import { expect, test } from 'vitest';
import { createKeyring } from '../kit/keyring.ts';
import { type CursorScope, openNumber, sealNumber } from './cursor.ts';

const keyring = createKeyring(Buffer.alloc(32, 7));
const FEED: CursorScope = { purpose: 'feed-cursor', owner: ['prj_1'] };
const WIDGET: CursorScope = { purpose: 'widget-cursor', owner: ['prj_1', 'prg_1', 'prt_1'] };

// Clients keep cursors: one of an earlier version must still be read.
test.each([
  [FEED, 'AAAAAAAS1oeVXXopQfJSX8N7N0g'],
  [WIDGET, 'AAAAEtaHlm6pFijCAUFEOqq9RopBZQ'],
])('a cursor of $purpose stays the same, byte for byte', (scope, cursor) => {
  expect(sealNumber(keyring, scope, 1_234_567)).toBe(cursor);
  expect(openNumber(keyring, scope, cursor)).toBe(1_234_567);
});

test('a cursor works for its own list and owner alone', () => {
  const cursor = sealNumber(keyring, FEED, 5);
  expect(openNumber(keyring, { ...FEED, owner: ['prj_2'] }, cursor)).toBeUndefined();
  expect(openNumber(keyring, WIDGET, cursor)).toBeUndefined();
  expect(openNumber(keyring, FEED, `${cursor}=`)).toBeUndefined();
  expect(openNumber(keyring, FEED, '')).toBeUndefined();
});

test.each([0, 1, 2 ** 31, 2 ** 47])('%i comes back as it was', (number) => {
  for (const scope of [FEED, WIDGET]) {
    expect(openNumber(keyring, scope, sealNumber(keyring, scope, number))).toBe(number);
  }
});
