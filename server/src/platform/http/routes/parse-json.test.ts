import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../kit/errors.ts';
import {
  assertStorable,
  FIELDS_MAX,
  ITEMS_MAX,
  NAME_LENGTH_MAX,
  parseJson,
  VALUES_MAX,
} from './parse-json.ts';

const parse = (value: unknown): unknown => {
  const body = parseJson(Buffer.from(JSON.stringify(value)));
  assertStorable(body);
  return body;
};

function issueOf(value: unknown): unknown {
  try {
    parse(value);
  } catch (error) {
    if (error instanceof AppError) return error.details?.[0];
    throw error;
  }
  return null;
}

const zeros = (count: number) => Array.from({ length: count }, () => 0);
const fields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`x${n}`, 0]));

test.each([
  ['an array', { list: zeros(ITEMS_MAX) }, { list: zeros(ITEMS_MAX + 1) }, 'list'],
  ['an object', { map: fields(FIELDS_MAX) }, { map: fields(FIELDS_MAX + 1) }, 'map'],
  [
    'a field name',
    { map: { ['x'.repeat(NAME_LENGTH_MAX)]: 0 } },
    { map: { ['x'.repeat(NAME_LENGTH_MAX + 1)]: 0 } },
    'map',
  ],
])('%s that is too long is refused before anything is checked', (_name, fits, over, path) => {
  expect(issueOf(fits)).toBeNull();
  expect(issueOf(over)).toEqual({ path, issue: expect.stringContaining('more than') });
});

test('a body is refused for the number of its values, however they are spread', () => {
  const rows = Math.ceil(VALUES_MAX / ITEMS_MAX);
  const full = (count: number) => Array.from({ length: count }, () => zeros(ITEMS_MAX));
  expect(issueOf(full(rows - 1))).toBeNull();
  expect(issueOf(full(rows))).toEqual({ path: '', issue: `has more than ${VALUES_MAX} values` });
});

test('what is within the limits comes out as it went in', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      fc.pre(!JSON.stringify(value).includes('__proto__'));
      const text = JSON.stringify(value);
      fc.pre(!/\\u0000/.test(text) && text.isWellFormed());
      expect(parse(value)).toEqual(JSON.parse(text));
    }),
  );
});
