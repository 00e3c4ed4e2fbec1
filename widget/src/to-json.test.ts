import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../server/test/any-text.ts';
import { toJson } from './to-json.ts';

const text = anyText();

test('what is sent is read as it was meant, whatever characters are in it', () => {
  fc.assert(
    fc.property(fc.dictionary(text, text, { noNullPrototype: true }), text, (inner, outer) => {
      const fields = { outer, inner };
      expect(JSON.parse(toJson(fields))).toEqual(fields);
    }),
  );
  expect(toJson({ a: undefined, b: 'half \ud83d' })).toBe('{"b":"half \\ud83d"}');
});
