import { expect, test } from 'vitest';
import { TestClock } from '../../../test/harness.ts';
import type { SessionRow } from './store.ts';
import { UserCache } from './user-deps.ts';

const row = (name: string): SessionRow => ({
  id: 'ses_1',
  method: 'password',
  createdAt: '2026-11-15T09:30:00.000Z',
  seenAt: '2026-11-15T09:30:00.000Z',
  user: { id: 'usr_1', email: 'ada@example.com', name, totpEnabled: false },
  isLocal: false,
  memberships: [],
});

test('what is remembered of a user is at most a second old', async () => {
  const clock = new TestClock();
  const cache = new UserCache(clock);
  const read = async (name: string) =>
    (await cache.sessions.get('hash', async () => row(name)))?.user.name;
  expect(await read('one')).toBe('one');
  clock.advance(999);
  expect(await read('two')).toBe('one');
  clock.advance(1);
  expect(await read('three')).toBe('three');
});

test('a change acts at once, also on what was being read while it happened', async () => {
  const cache = new UserCache(new TestClock());
  await cache.sessions.get('hash', async () => row('old'));
  cache.forgetUser('usr_2');
  expect((await cache.sessions.get('hash', async () => row('other')))?.user.name).toBe('old');
  cache.forgetUser('usr_1');
  const stale = cache.sessions.get('hash', async () => {
    cache.forgetUser('usr_1');
    return row('stale');
  });
  expect((await stale)?.user.name).toBe('stale');
  expect((await cache.sessions.get('hash', async () => row('new')))?.user.name).toBe('new');
});
