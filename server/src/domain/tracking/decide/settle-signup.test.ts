import { expect, test } from 'vitest';
import { addMs } from '../../../platform/kit/instant.ts';
import { isAwaitedBy } from './settle-signup.ts';

const SIGNED_UP_AT = '2026-11-15T09:30:00.000Z';
const MINUTE_MS = 60_000;

test.each([
  ['after it', 1, false, true],
  ['with it', 0, false, true],
  ['a little before it: clocks differ', -5 * MINUTE_MS, false, true],
  ['before it', -5 * MINUTE_MS - 1, false, false],
  ['before it, if that bound a referral', -5 * MINUTE_MS - 1, true, true],
])('a signup waits for a start %s', (_, ms, hasBound, isAwaited) => {
  const signup = { occurredAt: SIGNED_UP_AT };
  expect(isAwaitedBy(signup, addMs(SIGNED_UP_AT, ms), hasBound)).toBe(isAwaited);
});
