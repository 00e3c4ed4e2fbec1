import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

test('the order in which fields were written does not matter', () => {
  expect(canonicalJson({ b: 1, a: { d: [1, { z: 0, y: null }], c: 'é' } })).toBe(
    '{"a":{"c":"é","d":[1,{"y":null,"z":0}]},"b":1}',
  );
});

test('keys sort by UTF-16 units, as RFC 8785 asks', () => {
  expect(canonicalJson({ '\u20ac': 1, '\r': 2, '1': 3, '\u{1f600}': 4, '\ufb33': 5 })).toBe(
    '{"\\r":2,"1":3,"€":1,"😀":4,"\ufb33":5}',
  );
});

test('it is JSON of the same value, and stable', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }),
  );
});
