import { expect, test } from 'vitest';
import type { SearchedPerson } from '../stores/search-key-store.ts';
import { judgeSearchKeys } from './judge-search-keys.ts';

const ADA = { name: 'Ada Lovelace', email: 'Ada@example.com' };
const KEYS = ['ada lovelace', 'lovelace', 'ada@example.com'];
const person = (change: Partial<SearchedPerson> = {}): SearchedPerson => ({
  id: 'par_1',
  ...ADA,
  partnerId: null,
  isErased: false,
  keys: KEYS,
  areOfPartner: false,
  areMixed: false,
  ...change,
});
const fieldsOf = (
  change: Partial<SearchedPerson>,
  searched: { name: string | null; email: string | null } | undefined = ADA,
) => judgeSearchKeys(person(change), searched).map(({ field }) => field);

test('the keys that a name and an address give are right, in any order', () => {
  expect(fieldsOf({})).toEqual([]);
  expect(fieldsOf({ keys: KEYS.toReversed() })).toEqual([]);
  expect(fieldsOf({ keys: [], areOfPartner: null }, { name: null, email: null })).toEqual([]);
});

test('a key that is missing, too many or different is found', () => {
  expect(fieldsOf({ keys: KEYS.slice(1) })).toEqual(['search_keys']);
  expect(fieldsOf({ keys: [...KEYS, 'grace'] })).toEqual(['search_keys']);
  expect(fieldsOf({ keys: ['ada lovelace', 'lovelace', 'ada@example.org'] })).toEqual([
    'search_keys',
  ]);
  expect(fieldsOf({ keys: [], areOfPartner: null })).toEqual(['search_keys']);
});

test('erased participants, and those of erased Partners, have none', () => {
  expect(fieldsOf({ isErased: true })).toEqual(['search_keys']);
  expect(fieldsOf({ isErased: true, keys: [], areOfPartner: null })).toEqual([]);
  expect(judgeSearchKeys(person(), undefined)).toHaveLength(1);
});

test('the keys of Partners are marked, and no others', () => {
  expect(fieldsOf({ partnerId: 'ptn_1', areOfPartner: true })).toEqual([]);
  expect(fieldsOf({ partnerId: 'ptn_1' })).toEqual(['search_keys.of_partner']);
  expect(fieldsOf({ areOfPartner: true })).toEqual(['search_keys.of_partner']);
  expect(fieldsOf({ areMixed: true })).toEqual(['search_keys.of_partner']);
});

test('a finding contains neither a name nor an address', () => {
  const [found] = judgeSearchKeys(person({ keys: ['grace hopper'] }), ADA);
  expect(JSON.stringify(found)).not.toMatch(/grace|ada|example/i);
});
