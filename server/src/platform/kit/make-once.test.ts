import { expect, test } from 'vitest';
import { makeOnce } from './make-once.ts';

test('a text is made once for each key', () => {
  const made: string[] = [];
  const nameOf = makeOnce((key) => {
    made.push(key);
    return `name:${key}`;
  });
  expect(['a', 'b', 'a'].map(nameOf)).toEqual(['name:a', 'name:b', 'name:a']);
  expect(made).toEqual(['a', 'b']);
});

test('it does not keep any number of them, and makes what it has forgotten again', () => {
  let made = 0;
  const nameOf = makeOnce((key) => {
    made += 1;
    return `name:${key}`;
  });
  for (let n = 0; n < 20_001; n += 1) nameOf(String(n));
  expect(nameOf('0')).toBe('name:0');
  expect(made).toBe(20_002);
});
