import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../../../test/any-text.ts';
import { foldName, tidyName, VIEW_NAME_MAX } from './view-name.ts';

const nameOf = (text: string): string | null => {
  try {
    return tidyName(text);
  } catch (error) {
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', details: [{ path: 'name' }] });
    return null;
  }
};

test.each([
  ['Waiting', 'Waiting'],
  ['  Waiting \t for\nme ', 'Waiting for me'],
  ['Wait\u200Bi\uFEFFng\u00AD', 'Waiting'],
  ['1\u200D2', '12'],
  ['\u202Egnitiaw', 'gnitiaw'],
  ['Cafe\u0301', 'Caf\u00E9'],
  ['👩‍💻 at work ❤️', '👩‍💻 at work ❤️'],
])('%j is stored as %j', (text, name) => {
  expect(tidyName(text)).toBe(name);
});

test.each(['', ' ', '\u200B', '\u3164', '\u202E\u202C', 'ﷺ'.repeat(VIEW_NAME_MAX + 1)])(
  '%j is no name',
  (text) => {
    expect(nameOf(text)).toBeNull();
  },
);

test.each([
  ['Waiting', 'WAITING'],
  ['Waiting', 'Wait\u200Bing'],
  ['Waiting', 'Ｗaiting'],
  ['Caf\u00E9', 'cafe\u0301'],
  ['Straße', 'STRASSE'],
  ['two words', 'two\u00A0 words'],
  ['ΣΑΣ', 'σας'],
  ['❤', '❤️'],
])('%j and %j look alike', (one, other) => {
  expect(foldName(one)).toBe(foldName(other));
});

test.each([
  ['Waiting', 'Waiting 2'],
  ['Cafe', 'Café'],
  ['two words', 'twowords'],
])('%j and %j do not', (one, other) => {
  expect(foldName(one)).not.toBe(foldName(other));
});

test('a name that is stored stays as it is, and a text and its name look alike', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 80 }), (text) => {
      const name = nameOf(text);
      if (name === null) return;
      expect(tidyName(name)).toBe(name);
      expect(foldName(name)).toBe(foldName(text));
      expect(foldName(foldName(text))).toBe(foldName(text));
      expect(foldName(text.toUpperCase())).toBe(foldName(text.toUpperCase().toLowerCase()));
    }),
  );
});
