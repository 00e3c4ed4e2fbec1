import { readFileSync } from 'node:fs';
import Type, { type TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { EVENT_TYPE_PATTERN } from '../../../domain/programs/schema.ts';
import { AppError, type Issue } from '../../kit/errors.ts';
import { Closed, EmailText, OneOf, Opt, PersonEmailText, Text } from '../../kit/schema.ts';
import { FIELDS_MAX, ITEMS_MAX } from './parse-json.ts';
import { compileCheck, describePattern, ISSUES_MAX } from './validate.ts';

const WORDS = ['one', 'two', 'three'];
const Words = Type.Array(OneOf(WORDS), { minItems: 1, uniqueItems: true });

function issuesOf(schema: TSchema, value: unknown): readonly Issue[] | null {
  try {
    compileCheck(schema, 'body')(value);
  } catch (error) {
    if (error instanceof AppError) return error.details;
    throw error;
  }
  return null;
}

const TWICE = 'must not have the same item twice';

test.each<[string, TSchema, unknown, readonly Issue[] | null]>([
  ['no item twice', Closed({ words: Words }), { words: WORDS }, null],
  [
    'an item twice',
    Closed({ words: Words }),
    { words: ['one', 'two', 'one'] },
    [{ path: 'words', issue: TWICE }],
  ],
  [
    'in a field that may be left out',
    Closed({ words: Opt(Words) }),
    { words: ['two', 'two'] },
    [{ path: 'words', issue: TWICE }],
  ],
  [
    'an empty text, once',
    Closed({ id: Text(1, 512) }),
    { id: '' },
    [{ path: 'id', issue: 'must not be empty' }],
  ],
  [
    'a blank text',
    Closed({ id: Text(1, 512) }),
    { id: '  ' },
    [{ path: 'id', issue: 'must not be blank' }],
  ],
  ['null in its place', Closed({ words: Opt(Words) }), { words: null }, null],
  [
    'in a choice',
    Closed({ words: Type.Union([Type.Literal('all'), Words]) }),
    { words: ['two', 'two'] },
    [{ path: 'words', issue: TWICE }],
  ],
  [
    'in each of many',
    Closed({ rows: Type.Array(Closed({ words: Words })) }),
    { rows: [{ words: ['one'] }, { words: ['two', 'two'] }] },
    [{ path: 'rows.1.words', issue: TWICE }],
  ],
  [
    'beside another fault',
    Closed({ words: Words, name: Type.String() }),
    { words: ['two', 'two'] },
    [
      { path: 'name', issue: 'is required' },
      { path: 'words', issue: TWICE },
    ],
  ],
  [
    'what is no array',
    Closed({ words: Words }),
    { words: 7 },
    [{ path: 'words', issue: 'must be an array' }],
  ],
])('items that must differ: %s', (_name, schema, value, issues) => {
  expect(issuesOf(schema, value)).toEqual(issues);
});

test('arrays of objects cannot be compared: a schema that asks for it is refused', () => {
  const schema = Closed({ rows: Type.Array(Closed({}), { uniqueItems: true }) });
  expect(() => compileCheck(schema, 'body')).toThrow('uniqueItems');
});

/** Counts how often any part of a value is read. */
function counted<T extends object>(value: T): { readonly value: T; reads(): number } {
  let reads = 0;
  const wrap = (object: object): object =>
    new Proxy(object, {
      get(target, name) {
        reads += 1;
        const member: unknown = Reflect.get(target, name);
        return member !== null && typeof member === 'object' ? wrap(member) : member;
      },
    });
  return { value: wrap(value) as T, reads: () => reads };
}

test('a report has no more than so many issues, and reading grows with the body and no faster', () => {
  const schema = Closed({ words: Opt(Words) });
  const readsOf = (count: number) => {
    const { value, reads } = counted({ words: Array.from({ length: count }, () => 'four') });
    expect(issuesOf(schema, value)).toHaveLength(ISSUES_MAX);
    return reads();
  };
  expect(readsOf(ITEMS_MAX)).toBeLessThan(11 * readsOf(ITEMS_MAX / 10));
});

test('unknown fields are named even where there are more than are reported', () => {
  const fields = Object.fromEntries(Array.from({ length: FIELDS_MAX }, (_, n) => [`x${n}`, n]));
  const issues = issuesOf(Closed({ name: Opt(Type.String()) }), fields);
  expect(issues).toHaveLength(ISSUES_MAX);
  expect(issues?.[0]).toEqual({ path: 'x0', issue: 'is not a known field' });
});

test('long names of fields are not sent back whole', () => {
  const nested = { ['x'.repeat(250)]: { ['y'.repeat(250)]: 1 } };
  const schema = Type.Record(Type.String(), Closed({}));
  expect(issuesOf(schema, nested)?.[0]?.path).toHaveLength(301);
});

const NO_EMAIL = [{ path: 'email', issue: 'must be an e-mail address, such as ada@example.com' }];

test.each([
  ['ada@example.com', null, null],
  ['ADA@Example.COM', null, null],
  ['ada@xn--bcher-kva.example', null, null],
  ['ada@bücher.example', NO_EMAIL, null],
  ['zoë@example.com', NO_EMAIL, null],
  ['a@b.de>', NO_EMAIL, NO_EMAIL],
  ['a..b@example.com', NO_EMAIL, NO_EMAIL],
  ['a@example.123', NO_EMAIL, NO_EMAIL],
  ['a@b@example.com', NO_EMAIL, NO_EMAIL],
])('%s as an address to sign in with, and as a person’s', (email, signIn, person) => {
  expect(issuesOf(Closed({ email: EmailText('') }), { email })).toEqual(signIn);
  expect(issuesOf(Closed({ email: Opt(PersonEmailText('')) }), { email })).toEqual(person);
});

const document = JSON.parse(
  readFileSync(new URL('../../../../../openapi.json', import.meta.url), 'utf8'),
) as object;

function listPatterns(part: object): string[] {
  return Object.entries(part).flatMap(([name, value]) => {
    if (name === 'pattern' && typeof value === 'string') return [value];
    return typeof value === 'object' && value !== null ? listPatterns(value) : [];
  });
}

test('what a field must look like is said in words, never as a regular expression', () => {
  const patterns = new Set(listPatterns(document));
  expect(patterns.size).toBeGreaterThan(10);
  for (const pattern of patterns) {
    const words = describePattern(pattern);
    expect([pattern, words]).toEqual([pattern, expect.stringMatching(/^must (not )?(be|have) /)]);
    expect([pattern, words.includes(pattern)]).toEqual([pattern, false]);
    expect([pattern, words]).not.toEqual([pattern, describePattern('')]);
  }
});

test('the type of an Event is described as its pattern has it', () => {
  expect(describePattern(EVENT_TYPE_PATTERN)).toBe(
    'must be signup, purchase, or custom_ and 1 to 57 letters (a–z), digits or any of _ . : -',
  );
});

test('a pattern that nobody described is not shown either', () => {
  expect(describePattern('^(a|b)+$')).toBe(
    'must have the form that the API reference gives for it',
  );
});
