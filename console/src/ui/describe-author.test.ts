import { expect, test } from 'vitest';
import { describeAuthor } from './describe-author.ts';

test('who did something is named as far as one may know', () => {
  const names = new Map([['usr_2', 'Grace Example']]);
  const say = (author: string) => describeAuthor(author, 'usr_1', names);
  expect(say('user:usr_1')).toBe('you');
  expect(say('user:usr_2')).toBe('Grace Example');
  expect(say('user:usr_3')).toBe('a colleague (usr_3)');
  expect(say('user:admin-token')).toBe('the admin token');
  expect(say('key:key_1')).toBe('the API key key_1');
});
