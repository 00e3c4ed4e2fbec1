import { expect, test } from 'vitest';
import { sayCount } from './say-count.ts';

test.each([
  [{ count: 0, isMore: false }, '0 people'],
  [{ count: 1, isMore: false }, '1 person'],
  [{ count: 12_000, isMore: false }, '12,000 people'],
  [{ count: 10_000, isMore: true }, '10,000+ people'],
  [{ count: 1, isMore: true }, '1+ people'],
])('%j: %s', (found, said) => {
  expect(sayCount(found, 'person', 'people')).toBe(said);
});
