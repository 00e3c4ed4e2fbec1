import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideKey } from './keys.ts';

const NONE = new Set<string>();

test.each([
  ['Invite a friend', 'invite-a-friend'],
  ['10 dollars for each', 'rule-10-dollars-for-each'],
  ['  Für Müller & Söhne! ', 'fur-muller-sohne'],
  ['友達', 'rule'],
])('the key of “%s” is made from it', (name, key) => {
  expect(decideKey({ name }, 'rule', NONE)).toBe(key);
});

test('the key that was asked for is taken, or refused if another has it', () => {
  expect(decideKey({ key: 'mine', name: 'x' }, 'program', NONE)).toBe('mine');
  expect(() => decideKey({ key: 'mine', name: 'x' }, 'program', new Set(['mine']))).toThrow(
    'There is another program with the key mine.',
  );
});

test('every name gets a valid key of its own', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, maxLength: 120, unit: 'binary' })), (names) => {
      const taken = new Set<string>();
      for (const name of names) taken.add(decideKey({ name }, 'rule', taken));
      expect(taken.size).toBe(names.length);
      for (const key of taken) expect(key).toMatch(/^[a-z][a-z0-9-]{0,62}$/);
    }),
  );
});
