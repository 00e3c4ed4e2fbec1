import { expect, test } from 'vitest';
import { findDifferences, sayValue } from './find-differences.ts';

test('shows only what changed, and inside of objects only the values that did', () => {
  const before = { name: 'Invite', config: { brand: { logo: null, colour: '#000' }, open: true } };
  const changes = {
    name: 'Invite',
    config: { brand: { logo: 'https://example.com/l.png', colour: '#000' }, open: true },
  };
  expect(findDifferences(changes, before)).toEqual([
    { name: 'config.brand.logo', before: null, after: 'https://example.com/l.png' },
  ]);
});

test('a value without a previous one is shown as it is', () => {
  expect(findDifferences({ role: 'admin', tags: ['a'] }, null)).toEqual([
    { name: 'role', before: undefined, after: 'admin' },
    { name: 'tags', before: undefined, after: ['a'] },
  ]);
  expect(findDifferences({ status: 'paused', dropped: 3 }, { status: 'active' })).toEqual([
    { name: 'status', before: 'active', after: 'paused' },
    { name: 'dropped', before: undefined, after: 3 },
  ]);
});

test('a value that was removed or added inside an object is a difference', () => {
  expect(findDifferences({ minimums: { EUR: '5' } }, { minimums: { USD: '1' } })).toEqual([
    { name: 'minimums.USD', before: '1', after: null },
    { name: 'minimums.EUR', before: null, after: '5' },
  ]);
});

test('values are shown as text', () => {
  expect([null, true, false, ['a', 'b'], [], 7, undefined].map(sayValue)).toEqual([
    'none',
    'yes',
    'no',
    'a, b',
    'none',
    '7',
    'not recorded',
  ]);
});
