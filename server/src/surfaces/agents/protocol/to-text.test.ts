import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toText } from './to-text.ts';

test('text that people cannot see is escaped', () => {
  const hidden = 'Ada\u{E0041}\u202E\u200B';
  expect(toText({ name: hidden })).toBe('{"name":"Ada\\udb40\\udc41\\u202e\\u200b"}');
});

test('any value is one line without invisible characters, and parses to the same', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { maxLength: 5 }),
      (value) => {
        const text = toText(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Co}\u2028\u2029]/u);
      },
    ),
  );
});
