import { expect, test } from 'vitest';
import type { ProgramDefinition } from '../programs/definition/definition-schema.ts';
import { checkAsked } from './check-asked.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const TIME = { from: '2026-07-01T00:00:00Z', to: '2026-10-01T00:00:00+02:00' };
const EMPTY: ProgramDefinition = { apiVersion: 'goodword/v1', kind: 'Program' };
const WITH_RULES: ProgramDefinition = { ...EMPTY, rules: {} };

test('a time of the past is read, also if it ends in the future', () => {
  expect(checkAsked({ ...TIME, definition: null }, NOW)).toEqual({
    from: '2026-07-01T00:00:00.000Z',
    to: '2026-09-30T22:00:00.000Z',
    issues: [],
  });
  const late = { ...TIME, to: '2100-01-01T00:00:00Z', definition: WITH_RULES, prune: true };
  expect(checkAsked(late, NOW).issues).toEqual([]);
});

test.each<[string, object, string[]]>([
  ['an end before the start', { from: TIME.to, to: TIME.from }, ['to']],
  ['an end at the start', { to: TIME.from }, ['to']],
  ['a start now', { from: NOW, to: '2100-01-01T00:00:00Z' }, ['from']],
  ['no times', { from: 'soon', to: 'later' }, ['from', 'to']],
  ['to prune without a definition', { prune: true }, ['prune']],
  ['to prune without rules', { prune: true, definition: EMPTY }, ['prune']],
  [
    'to prune with nothing behind rules',
    { prune: true, definition: { ...EMPTY, rules: null } },
    ['prune'],
  ],
  [
    'several of them',
    { from: TIME.to, to: TIME.from, prune: true, definition: EMPTY },
    ['to', 'prune'],
  ],
])('%s has an issue with its path', (_, asked, paths) => {
  const { issues } = checkAsked({ ...TIME, definition: null, ...asked }, NOW);
  expect(issues.map(({ path }) => path)).toEqual(paths);
});

test('not to prune needs no definition', () => {
  expect(checkAsked({ ...TIME, definition: null, prune: false }, NOW).issues).toEqual([]);
});
