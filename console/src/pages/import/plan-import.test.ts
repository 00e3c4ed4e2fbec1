import { expect, test } from 'vitest';
import { guessMapping, planRows, SLICE, slicesOf } from './plan-import.ts';

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
  };
  expect(planRows(table, guessMapping(table.header))).toEqual([
    { line: 2, row: { externalId: '42' } },
    { line: 3, row: { externalId: '43', code: 'ADA' } },
  ]);
});

test('slices hold every row once, in order', () => {
  const rows = Array.from({ length: 2 * SLICE + 1 }, (_, index) => index);
  const slices = slicesOf(rows);
  expect(slices.map(({ length }) => length)).toEqual([SLICE, SLICE, 1]);
  expect(slices.flat()).toEqual(rows);
});
