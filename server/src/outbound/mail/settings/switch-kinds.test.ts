import { expect, test } from 'vitest';
import { isSince, switchKinds } from './switch-kinds.ts';

const EARLY = '2026-11-15T09:30:00.000Z';
const LATE = '2026-11-16T09:30:00.000Z';

test('a kind keeps the time since when it is on, and gets a new one after it was off', () => {
  const first = switchKinds({}, ['friend_joined'], EARLY);
  expect(first).toEqual({ friend_joined: EARLY });
  const second = switchKinds(first, ['friend_joined', 'reward_paid'], LATE);
  expect(second).toEqual({ friend_joined: EARLY, reward_paid: LATE });
  expect(switchKinds(second, [], LATE)).toEqual({});
  expect(switchKinds({}, ['friend_joined'], LATE)).toEqual({ friend_joined: LATE });
});

test('a fact is mailed if it happened while its kind was on', () => {
  expect(isSince({ reward_paid: LATE }, 'reward_paid', EARLY)).toBe(false);
  expect(isSince({ reward_paid: LATE }, 'reward_paid', LATE)).toBe(true);
  expect(isSince({}, 'reward_paid', EARLY)).toBe(true);
});
