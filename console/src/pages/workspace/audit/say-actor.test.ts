import { expect, test } from 'vitest';
import { sayActor } from './say-actor.ts';

test('whoever made a change is named, and by a short id if the name is not known', () => {
  const names = new Map([
    ['usr_1', 'Grace Example'],
    ['key_1', 'Shop backend'],
  ]);
  const say = (actorType: 'user' | 'key' | 'system' | 'cli', actorId: string) =>
    sayActor({ actorType, actorId }, names);
  expect(say('user', 'usr_1')).toBe('Grace Example');
  expect(say('user', 'usr_01m7qpswdjdgpx7xv8wqfy9p3e')).toBe('Person usr_…wqfy9p3e');
  expect(say('key', 'key_1')).toBe('API key Shop backend');
  expect(say('key', 'key_01m7qpswdjdgpx7xv8wqfy9p3e')).toBe('API key key_…wqfy9p3e');
  expect(say('cli', 'admin-token')).toBe('The admin token');
  expect(say('system', 'goodword')).toBe('Goodword');
});
