import { expect, test } from 'vitest';
import type { Call } from './call.ts';
import { readDocument } from './document.ts';
import { buildRequest } from './request.ts';
import { bodyFlags, parameterFlag } from './schema-flags.ts';

const document = readDocument();

function callOf(method: string, path: string): Call {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`no ${path}`);
  const body = operation.requestBody?.content['application/json']?.schema;
  return {
    route: `${method} ${path}`,
    operation,
    flags: [
      ...(operation.parameters ?? []).map((one) => parameterFlag(document, one)),
      ...(body ? bodyFlags(document, body) : []),
    ],
    hasBody: body !== undefined,
    takesKey: true,
    answers: 'record',
    isGrave: false,
    graveIf: {},
  };
}

test('every value goes where its field is: address, query, header, body', () => {
  const request = buildRequest(
    callOf('POST', '/v1/rewards/{rewardId}/void'),
    { reward: 'rwd_1/?', project: 'prj_1', 'idempotency-key': 'k', 'reason-code': 'fraud' },
    {},
  );
  expect(request).toEqual({
    operation: 'POST /v1/rewards/{rewardId}/void',
    path: { rewardId: 'rwd_1/?' },
    query: {},
    headers: { 'Idempotency-Key': 'k' },
    body: { projectId: 'prj_1', reasonCode: 'fraud' },
    takesKey: true,
  });
  const list = buildRequest(callOf('GET', '/v1/rewards'), { project: 'prj_1' }, {});
  expect(list).toMatchObject({
    operation: 'GET /v1/rewards',
    path: {},
    query: { projectId: 'prj_1' },
  });
  expect(list).not.toHaveProperty('body');
});

test('a field inside another is put there, beside what the given body has', () => {
  const call = callOf('PATCH', '/v1/programs/{programId}');
  const data = { name: 'Old', config: { brandConfig: { primaryColor: '#000000' } } };
  const values = {
    program: 'prg_1',
    project: 'prj_1',
    name: 'New',
    'config.brand-config.landing-page-url': 'https://a.test/',
  };
  expect(buildRequest(call, values, data).body).toEqual({
    projectId: 'prj_1',
    name: 'New',
    config: { brandConfig: { primaryColor: '#000000', landingPageUrl: 'https://a.test/' } },
  });
  expect(data.name).toBe('Old');
});

test('--clear sends null for what can be empty, and for nothing else', () => {
  const call = callOf('PATCH', '/v1/webhook-endpoints/{endpointId}');
  const at = { endpoint: 'whe_1', project: 'prj_1' };
  expect(buildRequest(call, { ...at, clear: ['description'] }, {}).body).toEqual({
    projectId: 'prj_1',
    description: null,
  });
  expect(() => buildRequest(call, { ...at, clear: ['url'] }, {})).toThrow(
    '--clear cannot clear "url". It can clear: description, event-types.',
  );
});

test('a change of nothing is refused before it is sent', () => {
  const call = callOf('PATCH', '/v1/projects/{projectId}');
  expect(() => buildRequest(call, { project: 'prj_1' }, {})).toThrow(
    'Say what to change: --name, --allowed-origins.',
  );
});
