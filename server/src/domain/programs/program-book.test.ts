import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aPolicy, aProgram, FOUNDED_AT } from '../../../test/program-book.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import { type BookedProgram, longestWindow, versionAt } from './program-book.ts';

const DAYS = ['01', '02', '03', '04', '05'].map((day) => `2026-11-${day}T00:00:00.000Z`);
const [first, second, third, fourth, fifth] = DAYS as [string, string, string, string, string];

test('the highest version in effect at a moment applies, from exactly its time on (D-TERM-5)', () => {
  const versions = [
    { version: 1, effectiveAt: second },
    { version: 2, effectiveAt: fourth },
    { version: 3, effectiveAt: third },
  ];
  expect(versionAt(versions, first)).toBeUndefined();
  expect(versionAt(versions, second)?.version).toBe(1);
  expect(versionAt(versions, third)?.version).toBe(3);
  // Published later but effective earlier: version 3 takes precedence over version 2 even after
  // version 2's time.
  expect(versionAt(versions, fourth)?.version).toBe(3);
  expect(versionAt(versions, fifth)?.version).toBe(3);
  expect(versionAt([], fifth)).toBeUndefined();
});

test('no version applies before its time, and none above it that has its time', () => {
  const times = fc.nat(50).map(toInstant);
  fc.assert(
    fc.property(fc.array(times, { maxLength: 10 }), times, (effective, at) => {
      const versions = effective.map((effectiveAt, index) => ({ version: index + 1, effectiveAt }));
      const due = versions.filter(({ effectiveAt }) => effectiveAt <= at);
      expect(versionAt(versions, at)?.version).toBe(
        due.length === 0 ? undefined : Math.max(...due.map(({ version }) => version)),
      );
    }),
  );
});

const NOW = '2026-11-15T09:30:00.000Z';
const withWindow = (id: string, windowDays: number, changes: Partial<BookedProgram> = {}) =>
  aProgram({ id, policies: [aPolicy({ windowDays })], ...changes });
const longestOf = (...programs: BookedProgram[]) =>
  longestWindow({ programs: new Map(programs.map((program) => [program.id, program])) }, NOW);

test('the longest window is that of an active Program, as its policy is now', () => {
  expect(longestOf()).toBe(0);
  expect(longestOf(withWindow('a', 30), withWindow('b', 200))).toBe(200);
  const intervals = [{ status: 'paused', startsAt: FOUNDED_AT, endsAt: null } as const];
  expect(longestOf(withWindow('a', 30), withWindow('b', 200, { intervals }))).toBe(30);
});
