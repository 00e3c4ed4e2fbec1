import { expect, test } from 'vitest';
import { endOf, isLive } from './session-rules.ts';

test.each([
  ['just begun', '2026-11-15T00:00:00.000Z', '2026-11-15T12:00:00.000Z'],
  ['used in between', '2026-11-16T06:00:00.000Z', '2026-11-16T18:00:00.000Z'],
  ['used to the last', '2026-11-21T23:00:00.000Z', '2026-11-22T00:00:00.000Z'],
])('a session that was %s ends when it must, and not before', (_name, seenAt, end) => {
  const session = { createdAt: '2026-11-15T00:00:00.000Z', seenAt };
  expect(endOf(session)).toBe(end);
  expect(isLive(session, end)).toBe(false);
  expect(isLive(session, new Date(Date.parse(end) - 1).toISOString())).toBe(true);
});
