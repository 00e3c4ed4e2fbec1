import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldText, searchKeysOf } from './search-keys.ts';

const find = (typed: string, name: string | null, email: string | null = null) =>
  searchKeysOf({ name, email }).some((key) => key.startsWith(foldText(typed)));

test('a name is found by the beginning of any of its words, in any case', () => {
  expect(searchKeysOf({ name: 'Ada King  Lovelace', email: null })).toEqual([
    'ada king lovelace',
    'king lovelace',
    'lovelace',
  ]);
  for (const typed of ['ada', 'ADA K', 'King Love', 'love']) {
    expect([typed, find(typed, 'Ada King  Lovelace')]).toEqual([typed, true]);
  }
  for (const typed of ['da', 'lace', 'Ada Lovelace']) {
    expect([typed, find(typed, 'Ada King  Lovelace')]).toEqual([typed, false]);
  }
});

test('a word also begins after a hyphen, an apostrophe or a bracket', () => {
  expect(searchKeysOf({ name: 'Anne-Marie O’Neil (Acme)', email: null })).toEqual([
    'anne-marie o’neil (acme)',
    'marie o’neil (acme)',
    'o’neil (acme)',
    'neil (acme)',
    'acme)',
  ]);
});

test('an e-mail address is found by its beginning only', () => {
  expect(searchKeysOf({ name: null, email: 'Ada.King@Example.com' })).toEqual([
    'ada.king@example.com',
  ]);
  expect(find('ada.k', null, 'Ada.King@Example.com')).toBe(true);
  expect(find('king', null, 'Ada.King@Example.com')).toBe(false);
});

test('accents and the form of the Greek sigma make no difference', () => {
  expect(find('jose', 'José')).toBe(true);
  expect(find('ÁNGEL', 'angel')).toBe(true);
  expect(find('ΟΔΟΣ', 'οδοσάκι')).toBe(true);
  expect(find('жан', 'Жанна')).toBe(true);
});

test('without a name and an address there is no key, nor from blanks', () => {
  expect(searchKeysOf({ name: null, email: null })).toEqual([]);
  expect(searchKeysOf({ name: ' \u0301 ', email: null })).toEqual([]);
});

const word = fc.stringMatching(/^[A-Za-zÀ-ž0-9]{1,12}$/);

test('whatever the name, each beginning of each of its words finds it', () => {
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 5 }),
      fc.nat(),
      fc.nat(),
      (all, at, n) => {
        const rest = all.slice(at % all.length).join(' ');
        const typed = rest.slice(0, 1 + (n % rest.length));
        expect([typed, find(typed, all.join(' '))]).toEqual([typed, true]);
      },
    ),
  );
});

test('no key is longer than an index accepts, and folding again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (name) => {
      for (const key of searchKeysOf({ name, email: null })) {
        expect(Buffer.byteLength(key)).toBeLessThanOrEqual(800);
        expect(foldText(key)).toBe(key);
      }
    }),
  );
});
