import { expect, test } from 'vitest';
import {
  guessMapping,
  indexNames,
  neededBefore,
  planRows,
  SLICE,
  slicesOf,
} from './plan-import.ts';

test('columns are known by their usual names, however they are written', () => {
  expect(guessMapping(['User ID', 'Full name', 'referral_code', 'Referred By', 'plan'])).toEqual({
    externalId: 0,
    kind: null,
    name: 1,
    email: null,
    billingId: null,
    code: 2,
    slug: null,
    referredByExternalId: 3,
    referredByCode: null,
    referredAt: null,
    startingReferrals: null,
    startingPurchases: null,
    startingRevenue: null,
  });
});

test('the clearest name wins, and one column is never two fields', () => {
  const mapping = guessMapping(['id', 'customer_id', 'external_id', 'code', 'code']);
  expect(mapping.externalId).toBe(2);
  const used = Object.values(mapping).filter((column) => column !== null);
  expect(used).toEqual([...new Set(used)]);
});

test('rows keep the line of the file, and only what is filled in', () => {
  const table = {
    header: ['id', 'code'],
    rows: [
      [' 42 ', ''],
      ['43', 'ADA'],
    ],
    lines: [2, 4],
  };
  expect(planRows(table, guessMapping(table.header))).toEqual([
    { line: 2, row: { externalId: '42' } },
    { line: 4, row: { externalId: '43', code: 'ADA' } },
  ]);
});

test('slices hold every row once, in order', () => {
  const rows = Array.from({ length: 2 * SLICE + 1 }, (_, index) => index);
  const slices = slicesOf(rows);
  expect(slices.map(({ length }) => length)).toEqual([SLICE, SLICE, 1]);
  expect(slices.flat()).toEqual(rows);
});

test('rows are rehearsed with those before them that they name, and no others', () => {
  const rows = [
    { line: 2, row: { externalId: '1', code: 'Ada', name: 'Ada', referredByCode: 'nobody' } },
    { line: 3, row: { externalId: '2', slug: 'bob' } },
    { line: 4, row: { externalId: '2', kind: 'group' } },
    { line: 5, row: { externalId: '3', referredByCode: 'ADA' } },
    { line: 6, row: { externalId: '4', referredByExternalId: '2' } },
    { line: 7, row: { externalId: '5', referredByExternalId: '4' } },
    { line: 8, row: { externalId: '6', referredByCode: 'elsewhere' } },
  ];
  const byName = indexNames(rows);
  expect(neededBefore(byName, rows.slice(3))).toEqual([
    { externalId: '1', code: 'Ada' },
    { externalId: '2', slug: 'bob' },
  ]);
  expect(neededBefore(byName, rows.slice(0, 3))).toEqual([]);
});
