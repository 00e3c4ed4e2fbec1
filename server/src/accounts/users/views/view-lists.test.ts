import fc from 'fast-check';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { AppError } from '../../../platform/kit/errors.ts';
import { OneOf } from '../../../platform/kit/schema.ts';
import {
  FILTERS_BYTES_MAX,
  FILTERS_OF_LISTS,
  FilterCheck,
  filtersOf,
  VIEW_LISTS,
  type ViewFilters,
} from './view-lists.ts';

/** Every list takes any text in every filter, except for one that takes two words. */
const query = Type.Object({
  ...Object.fromEntries(
    Object.values(FILTERS_OF_LISTS)
      .flat()
      .map((name) => [name, Type.String()]),
  ),
  processingState: Type.Optional(OneOf(['failed', 'pending'])),
});
const check = new FilterCheck(() => query);

const refusalOf = (body: () => void): string | null => {
  try {
    body();
    return null;
  } catch (error) {
    return error instanceof AppError ? `${error.code} ${error.details?.[0]?.path}` : 'no refusal';
  }
};

/** Of the filters that do not take any text. */
const VALUES: ViewFilters = { earned: '7d', processingState: 'failed' };

test('a list accepts its own filters and no others', () => {
  const names = [
    ...new Set([...Object.values(FILTERS_OF_LISTS).flat(), 'q', 'cursor', '__proto__']),
  ];
  fc.assert(
    fc.property(fc.constantFrom(...VIEW_LISTS), fc.constantFrom(...names), (list, name) => {
      const isKnown = (FILTERS_OF_LISTS[list] as readonly string[]).includes(name);
      const refusal = refusalOf(() =>
        check.assertValid(list, JSON.parse(`{"${name}": "${VALUES[name] ?? 'x'}"}`)),
      );
      expect(refusal).toBe(isKnown ? null : `INVALID_REQUEST filters.${name}`);
    }),
  );
});

test('filters have at most 2 KB, and there is at least one', () => {
  const ofBytes = (bytes: number) => ({ status: 'é'.repeat((bytes - '{"status":""}'.length) / 2) });
  const refusalFor = (filters: Record<string, string>) =>
    refusalOf(() => check.assertValid('payouts', filters));
  expect(refusalFor({ ...ofBytes(FILTERS_BYTES_MAX - 1) })).toBe(null);
  expect(refusalFor({ ...ofBytes(FILTERS_BYTES_MAX + 1) })).toBe('INVALID_REQUEST filters');
  expect(refusalFor({})).toBe('INVALID_REQUEST filters');
});

test.each([
  ['processingState', 'faild'],
  ['processingState', 'Failed'],
  ['earned', '8d'],
])('%s does not take %s: refused with its path, and reported of an older view', (name, value) => {
  const list = name === 'earned' ? 'rewards' : 'events';
  const filters = { [name]: value };
  expect(refusalOf(() => check.assertValid(list, filters))).toBe(`INVALID_REQUEST filters.${name}`);
  expect(check.listInvalid(list, { ...filters, order: 'asc' })).toEqual([name]);
});

test('a filter that a list no longer has is reported of an older view', () => {
  expect(check.listInvalid('mails', { state: 'sent', gone: 'x' })).toEqual(['gone']);
  expect(check.listInvalid('mails', { state: 'sent' })).toEqual([]);
});

test('a filter that the list’s route does not have is a mistake of ours', () => {
  expect(() => filtersOf('mails', () => Type.Object({}))).toThrow('mails');
});
