import { UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { readSubject } from './read-subject.ts';

const tokenOf = (claims: Record<string, unknown>) => new UnsecuredJWT(claims).encode();
const complete = { sub: 'ada', exp: 2_000_000_000 };
const read = (claims: Record<string, unknown>, profile = { sub: 'ada' }) =>
  readSubject(tokenOf(claims), profile, 'goodword');

test('the subject of the token counts', () => {
  expect(read(complete)).toBe('ada');
  expect(read({ ...complete, azp: 'goodword' })).toBe('ada');
});

test('without a token, or a complete one, nobody is signed in', () => {
  expect(() => readSubject(undefined, { sub: 'ada' }, 'goodword')).toThrow('no id_token');
  expect(() => readSubject('', { sub: 'ada' }, 'goodword')).toThrow('no id_token');
  expect(() => readSubject('opaque', { sub: 'ada' }, 'goodword')).toThrow();
  expect(() => read({ exp: complete.exp })).toThrow('no sub');
  expect(() => read({ sub: 'ada' })).toThrow('no exp');
});

test('a token for another client, or a profile of another person, is refused', () => {
  expect(() => read({ ...complete, azp: 'another' })).toThrow('another client');
  expect(() => read(complete, { sub: 'eve' })).toThrow('belongs to another user');
});
