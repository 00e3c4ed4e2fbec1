import { expect, test } from 'vitest';
import { ClaimScheduler, restAfterClaim } from './claim-scheduler.ts';

const names = (turns: ClaimScheduler) => {
  const taken = [];
  for (let turn = turns.next(); turn; turn = turns.next()) taken.push(turn);
  return taken;
};

test('one of those that are not urgent at a time, however many wait', () => {
  const turns = new ClaimScheduler();
  for (let n = 0; n < 100; n += 1) turns.add(`other-${n}`, 'other');
  const [first, ...more] = names(turns);
  expect(first).toEqual({ projectId: 'other-0', of: 'other' });
  expect(more).toEqual([]);
  turns.add('urgent', 'urgent');
  expect(names(turns)).toEqual([{ projectId: 'urgent', of: 'urgent' }]);
  if (first) turns.end(first);
  expect(names(turns)).toEqual([{ projectId: 'other-1', of: 'other' }]);
});

test('what is urgent of a Project does not wait for what is not, waiting or running', () => {
  const turns = new ClaimScheduler();
  for (const name of ['a', 'b', 'c']) turns.add(name, 'other');
  turns.add('c', 'urgent');
  expect(names(turns)).toEqual([
    { projectId: 'c', of: 'urgent' },
    { projectId: 'a', of: 'other' },
  ]);
  turns.add('a', 'urgent');
  expect(names(turns)).toEqual([{ projectId: 'a', of: 'urgent' }]);
});

test('a class of a Project is claimed once at a time, and once more if it asked meanwhile', () => {
  const turns = new ClaimScheduler();
  turns.add('a', 'urgent');
  const [running] = names(turns);
  turns.add('a', 'urgent');
  turns.add('a', 'urgent');
  expect(names(turns)).toEqual([]);
  expect(turns.isBusyWith('a')).toBe(true);
  if (running) turns.end(running);
  const [again, ...more] = names(turns);
  expect([again?.projectId, more]).toEqual(['a', []]);
  if (again) turns.end(again);
  expect(names(turns)).toEqual([]);
  expect(turns.isBusyWith('a')).toBe(false);
});

test('what is not urgent rests as long as it took, within bounds', () => {
  expect(restAfterClaim('urgent', 80)).toBe(0);
  expect(restAfterClaim('other', 80)).toBe(80);
  expect(restAfterClaim('other', 60_000)).toBe(250);
});
