import Type from 'typebox';
import { expect, test } from 'vitest';
import { Closed, InstantIn, Nullable, OneOf, Opt, Text } from '../../../platform/kit/schema.ts';
import type { Schema } from './api-document.ts';
import { type Direction, fieldTable } from './field-table.ts';

/** The rows as lines of text, in the order of the table. */
function rows(schema: object, direction: Direction = 'request'): string[] {
  const [, body = ''] = fieldTable(schema as Schema, direction).text.split('<tbody>');
  return body
    .split('</tr>')
    .slice(0, -1)
    .map((row) =>
      row
        .replaceAll('</th>', ' | ')
        .replace(/<[^>]+>/g, '')
        .replaceAll('&quot;', '"'),
    );
}

test('what must be sent, what may be, and what may be null are told apart', () => {
  const schema = Closed({ name: Text(1, 120), at: Opt(InstantIn) });
  expect(rows(schema)).toEqual([
    'name required | string · 1 to 120 characters · not blank',
    'at optional | timestamp or null',
  ]);
});

test('an answer marks only the fields that may be absent', () => {
  const schema = Type.Object({ a: Nullable(Type.String()), b: Type.Optional(Type.Integer()) });
  expect(rows(schema, 'answer')).toEqual(['a | string or null', 'b may be absent | integer']);
});

test('fields of nested objects and of lists stand below their parent, by their whole name', () => {
  const line = Closed({ sku: Type.String() });
  const schema = Closed({ order: Opt(Closed({ lines: Type.Array(line, { maxItems: 20 }) })) });
  expect(rows(schema)).toEqual([
    'order optional | object or null',
    'order.lines required | array of object · at most 20 items',
    'order.lines[].sku required | string',
  ]);
});

test('words, ranges, defaults and patterns are shown', () => {
  const schema = Closed({
    kind: OneOf(['a', 'b'], { description: 'Which `kind`.' }),
    limit: Type.Integer({ minimum: 1, maximum: 1000, default: 50 }),
    key: Type.String({ pattern: '^[a-z]$' }),
    tags: Type.Record(Type.String({ pattern: '^x' }), Type.String({ maxLength: 9 }), {
      maxProperties: 5,
    }),
  });
  expect(rows(schema)).toEqual([
    'kind required | string · one of a bWhich kind.',
    'limit required | integer · 1 to 1,000 · default 50',
    'key required | string · like ^[a-z]$',
    'tags required | map of names to string · at most 5 names · names like ^x · at most 9 characters',
  ]);
});

test('each option of a union keeps its own limits and its own fields', () => {
  const schema = Closed({
    permissions: Type.Union([OneOf(['full']), Type.Array(OneOf(['x']), { minItems: 1 })]),
    details: Type.Union([
      Closed({ type: Type.Literal('paypal'), email: Type.String() }),
      Closed({ type: Type.Literal('bank'), iban: Type.String() }),
    ]),
  });
  expect(rows(schema)).toEqual([
    'permissions required | string · one of fullor array of string · at least 1 item · one of x',
    'details required | object',
    'Either, with type "paypal" | ',
    'details.type required | "paypal"',
    'details.email required | string',
    'Or, with type "bank" | ',
    'details.type required | "bank"',
    'details.iban required | string',
  ]);
});

test('a named component is a link, and its fields are not repeated', () => {
  const schema: Schema = { type: 'array', items: { $ref: '#/components/schemas/Project' } };
  expect(fieldTable(schema, 'answer').text).toBe(
    '<p class="type">array of <a href="#schema-Project">Project</a></p>',
  );
});

test('the parts of an intersection make one table', () => {
  const schema = Type.Intersect([
    Type.Object({ a: Type.String() }),
    Type.Object({ b: Type.Any() }),
  ]);
  expect(rows(schema, 'answer')).toEqual(['a | string', 'b | any value']);
});
