import { expect, test } from 'vitest';
import { ClaimTurns } from './claim-turns.ts';

const names = (turns: ClaimTurns) => {
  const taken = [];
  for (let turn = turns.next(); turn; turn = turns.next()) taken.push(turn);
  return taken;
};

test('one of those that are not urgent at a time, however many wait', () => {
  const turns = new ClaimTurns();
  for (let n = 0; n < 100; n += 1) turns.add(`other-${n}`, false);
  const [first, ...more] = names(turns);
  expect(first).toEqual({ projectId: 'other-0', of: 'other' });
  expect(more).toEqual([]);
  turns.add('urgent', true);
  expect(names(turns)).toEqual([{ projectId: 'urgent', of: 'urgent' }]);
  if (first) turns.end(first);
  expect(names(turns)).toEqual([{ projectId: 'other-1', of: 'other' }]);
});

test('one that becomes urgent does not wait among the others', () => {
  const turns = new ClaimTurns();
  for (const name of ['a', 'b', 'c']) turns.add(name, false);
  turns.add('c', true);
  turns.add('c', false);
  expect(names(turns)).toEqual([
    { projectId: 'c', of: 'urgent' },
    { projectId: 'a', of: 'other' },
  ]);
});

test('a Project is claimed once at a time, and once more if it asked meanwhile', () => {
  const turns = new ClaimTurns();
  turns.add('a', true);
  const [running] = names(turns);
  turns.add('a', true);
  turns.add('a', true);
  expect(names(turns)).toEqual([]);
  expect(turns.isBusyWith('a')).toBe(true);
  if (running) turns.end(running);
  const [again, ...more] = names(turns);
  expect([again?.projectId, more]).toEqual(['a', []]);
  if (again) turns.end(again);
  expect(names(turns)).toEqual([]);
  expect(turns.isBusyWith('a')).toBe(false);
});
