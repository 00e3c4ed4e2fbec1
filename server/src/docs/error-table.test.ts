import { expect, test } from 'vitest';
import type { Operation } from './api-document.ts';
import { errorTables, listErrors, makeIsCommon } from './error-table.ts';

const operation = (responses: Record<string, string>): Operation => ({
  operationId: 'x',
  method: 'GET',
  path: '/v1/x',
  tag: 'X',
  summary: 'X',
  responses: Object.fromEntries(
    Object.entries({ 200: 'Done.', ...responses }).map(([status, description]) => [
      status,
      { description },
    ]),
  ),
});

const shared = { 429: '- `RATE_LIMITED`: too many' };
const own = operation({
  ...shared,
  409: '- `CONFLICT` `code_taken`: the code is taken\n- `CONFLICT` `slug_taken`: so is `slug`',
});

test('each refusal is one line, with its status, code, reason and when', () => {
  expect(listErrors(own)).toEqual([
    { status: '409', code: 'CONFLICT', reason: 'code_taken', when: 'the code is taken' },
    { status: '409', code: 'CONFLICT', reason: 'slug_taken', when: 'so is `slug`' },
    { status: '429', code: 'RATE_LIMITED', reason: '', when: 'too many' },
  ]);
});

test('a refusal written in another way is still shown', () => {
  expect(listErrors(operation({ 418: 'I am a teapot.' }))).toEqual([
    { status: '418', code: '', reason: '', when: 'I am a teapot.' },
  ]);
});

test('what most operations share is folded away; what is an operation’s own stands open', () => {
  const isCommon = makeIsCommon([own, operation(shared), operation(shared)]);
  const [open = '', folded = ''] = errorTables(own, isCommon).text.split('<details>');
  expect(open).toContain('code_<wbr>taken');
  expect(open).not.toContain('too many');
  expect(folded).toContain('too many');
  expect(folded).not.toContain('CONFLICT');
});
