import { expect, test } from 'vitest';
import { aPolicy, aProgram, FOUNDED_AT } from '../../../../test/program-book.ts';
import type { BookedProgram } from '../book/program-book.ts';
import { longestWindow } from './longest-window.ts';

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
