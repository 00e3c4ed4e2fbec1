import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../platform/kit/errors.ts';
import { checkFilters, FILTERS_BYTES_MAX, FILTERS_OF_LISTS, VIEW_LISTS } from './view-lists.ts';

const refusalOf = (body: () => void): string | null => {
  try {
    body();
    return null;
  } catch (error) {
    return error instanceof AppError ? `${error.code} ${error.details?.[0]?.path}` : 'no refusal';
  }
};

test('a list accepts its own filters and no others', () => {
  const names = [
    ...new Set([...Object.values(FILTERS_OF_LISTS).flat(), 'q', 'cursor', '__proto__']),
  ];
  fc.assert(
    fc.property(fc.constantFrom(...VIEW_LISTS), fc.constantFrom(...names), (list, name) => {
      const isKnown = (FILTERS_OF_LISTS[list] as readonly string[]).includes(name);
      const refusal = refusalOf(() => checkFilters(list, JSON.parse(`{"${name}": "x"}`)));
      expect(refusal).toBe(isKnown ? null : `INVALID_REQUEST filters.${name}`);
    }),
  );
});

test('filters have at most 2 KB, and there is at least one', () => {
  const ofBytes = (bytes: number) => ({ status: 'é'.repeat((bytes - '{"status":""}'.length) / 2) });
  const check = (filters: Record<string, string>) =>
    refusalOf(() => checkFilters('payouts', filters));
  expect(check({ ...ofBytes(FILTERS_BYTES_MAX - 1) })).toBe(null);
  expect(check({ ...ofBytes(FILTERS_BYTES_MAX + 1) })).toBe('INVALID_REQUEST filters');
  expect(check({})).toBe('INVALID_REQUEST filters');
});
