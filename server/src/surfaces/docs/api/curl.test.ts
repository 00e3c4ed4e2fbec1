import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { Operation } from './api-document.ts';
import { renderCurl } from './curl.ts';

const base: Operation = {
  operationId: 'x',
  method: 'POST',
  path: '/v1/programs/{programId}/rules/{ruleId}',
  tag: 'Programs',
  summary: 'X',
  security: [{ apiKey: [] }, { operator: [] }],
  'x-callers': ['apiKey', 'operator'],
  'x-permissions': [],
  'x-roles': [],
  'x-refusals': [],
  responses: {},
};

const json = (example: unknown, schema = {}) => ({
  description: '',
  content: { 'application/json': { schema, example } },
});

/** The words that a shell makes of the command. */
function run(operation: Operation): string[] {
  const command = renderCurl(operation, 'https://refer.example.com')
    .text.replace(/<\/?span[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replace(/&#(?:39|x27);/g, "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  const script = `curl() { printf '%s\\0' "$@"; }; GOODWORD_KEY=key ADMIN_TOKEN=token; ${command}`;
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

test('a shell reads from the command exactly the example, quotes and all', () => {
  const body = { name: `O'Brien's "$HOME" \`x\` \\ <b> & …`, rate: 5 };
  const words = run({
    ...base,
    requestBody: json(body),
    responses: { 200: json({ data: { id: 'rul_1', programId: 'prg_1' } }) },
  });
  expect(words.slice(0, -1)).toEqual([
    '-X',
    'POST',
    'https://refer.example.com/v1/programs/prg_1/rules/rul_1',
    '-H',
    'X-Api-Key: key',
    '-H',
    'Content-Type: application/json',
    '-d',
  ]);
  expect(JSON.parse(words.at(-1) as string)).toEqual(body);
});

test('required query parameters are filled, and the operator’s routes take the admin token', () => {
  const parameter = (name: string, required: boolean) => ({
    name,
    in: 'query' as const,
    required,
    schema: { type: 'string' },
  });
  const words = run({
    ...base,
    method: 'GET',
    path: '/v1/things',
    security: [{ operator: [] }],
    parameters: [
      parameter('projectId', true),
      parameter('workspaceId', true),
      parameter('limit', false),
    ],
    responses: { 200: json({ data: [{ workspaceId: 'ws_1' }] }) },
  });
  expect(words).toEqual([
    'https://refer.example.com/v1/things?projectId=prj_01ka3m…&workspaceId=ws_1',
    '-H',
    'Authorization: Bearer token',
  ]);
});

test('a body without an example shows what must be sent; a public route shows no credential', () => {
  const schema = {
    type: 'object',
    required: ['projectId', 'kind', 'count'],
    properties: {
      projectId: { type: 'string' },
      kind: { type: 'string', enum: ['a', 'b'] },
      count: { type: 'integer', minimum: 3 },
      note: { type: 'string' },
    },
  };
  const words = run({
    ...base,
    path: '/v1/things/{thingId}',
    security: [],
    requestBody: json(undefined, schema),
  });
  expect(words[2]).toBe('https://refer.example.com/v1/things/THING_ID');
  expect(words).not.toContain('X-Api-Key: key');
  expect(JSON.parse(words.at(-1) as string)).toEqual({
    projectId: 'prj_01ka3m…',
    kind: 'a',
    count: 3,
  });
});
