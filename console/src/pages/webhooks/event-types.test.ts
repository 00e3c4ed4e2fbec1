import { expect, test } from 'vitest';
import { EVENT_TYPES as CATALOG } from '../../../../server/src/platform/feed/writer/project-write.ts';
import { ALL_TYPES, DEFAULT_TYPES, hasAllTypes } from './event-types.ts';

test('every type of the catalog is explained', () => {
  expect([...ALL_TYPES].sort()).toEqual([...CATALOG].sort());
});

test('an endpoint has all types if none is missing', () => {
  expect(hasAllTypes(DEFAULT_TYPES)).toBe(true);
  expect(hasAllTypes(DEFAULT_TYPES.slice(1))).toBe(false);
  expect(hasAllTypes([...DEFAULT_TYPES, 'moon.landed'])).toBe(true);
  // Those that have to be named were chosen one by one.
  expect(hasAllTypes(ALL_TYPES)).toBe(false);
});
