import { expect, test } from 'vitest';
import { versionInForce } from './version-in-force.ts';

const version = (number: number, effectiveAt: string) => ({ version: number, effectiveAt });
const NOW = Date.parse('2026-11-15T09:30:00.000Z');

test('of the versions in effect the highest counts, whenever it began (D-TERM-5)', () => {
  const third = version(3, '2026-11-01T00:00:00.000Z');
  const all = [
    version(4, '2026-12-01T00:00:00.000Z'),
    third,
    version(2, '2026-11-10T00:00:00.000Z'),
    version(1, '2026-01-01T00:00:00.000Z'),
  ];
  expect(versionInForce(all, NOW)).toBe(third);
  expect(versionInForce(all.toReversed(), NOW)).toBe(third);
});

test('it counts from its very moment, and before the first there is none', () => {
  const only = version(1, '2026-11-15T09:30:00.000Z');
  expect(versionInForce([only], NOW)).toBe(only);
  expect(versionInForce([only], NOW - 1)).toBeUndefined();
  expect(versionInForce([], NOW)).toBeUndefined();
});
