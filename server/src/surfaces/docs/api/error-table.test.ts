import { expect, test } from 'vitest';
import type { Operation, Refusal } from './api-document.ts';
import { errorTables, makeIsCommon } from './error-table.ts';

const operation = (...refusals: Refusal[]): Operation => ({
  operationId: 'x',
  method: 'GET',
  path: '/v1/x',
  tag: 'X',
  summary: 'X',
  'x-callers': ['anyone'],
  'x-permissions': [],
  'x-roles': [],
  'x-refusals': refusals,
  responses: {},
});

const shared = { status: 429, code: 'RATE_LIMITED', reason: null, when: 'too many' };
const own = operation(shared, {
  status: 409,
  code: 'CONFLICT',
  reason: 'code_taken',
  when: 'so is `slug`',
});

test('each refusal is one line, with its status, code, reason and when', () => {
  const { text } = errorTables(own, () => false);
  expect(text.match(/<tr><td>.*?<\/tr>/g)).toEqual([
    '<tr><td>429</td><td><code>RATE_<wbr>LIMITED</code></td><td>too many</td></tr>',
    '<tr><td>409</td><td><code>CONFLICT</code> <code class="reason">code_<wbr>taken</code></td><td>so is <code>slug</code></td></tr>',
  ]);
});

test('an operation without refusals has no table', () => {
  expect(errorTables(operation(), () => false).text).toBe('');
});

test('what most operations share is folded away; what is an operation’s own stands open', () => {
  const isCommon = makeIsCommon([own, operation(shared), operation(shared)]);
  const [open = '', folded = ''] = errorTables(own, isCommon).text.split('<details>');
  expect(open).toContain('code_<wbr>taken');
  expect(open).not.toContain('too many');
  expect(folded).toContain('too many');
  expect(folded).not.toContain('CONFLICT');
});
