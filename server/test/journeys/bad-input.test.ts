import { once } from 'node:events';
import { type IncomingMessage, METHODS, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await openService();
  project = await service.newProject();
});
afterAll(() => service.close());

const post = (body: unknown, headers?: Record<string, string>) =>
  service.call('POST', '/v1/sources', { as: project.key, body, ...(headers ? { headers } : {}) });

describe('a body that cannot be used is 400, with the path of each fault', () => {
  test.each([
    ['text that is not JSON', '{"projectId":'],
    ['an empty body', ''],
    ['JSON that is not an object', '[]'],
    ['null', 'null'],
    ['a number', '1e400'],
  ])('%s', async (_name, text) => {
    const { status, body } = await post(text);
    expect(status).toBe(400);
    expect(body.error.code).toBe('INVALID_REQUEST');
  });

  test('bytes that are not UTF-8', async () => {
    const response = await fetch(`${service.url}/v1/sources`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': project.key },
      body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
    });
    expect(response.status).toBe(400);
  });

  test('an unknown field is named (D-GEN-6)', async () => {
    const { status, body } = await post({ projectId: project.projectId, nmae: 'Shop' });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ path: 'nmae', issue: 'is not a known field' }]);
  });

  test('however many unknown fields there are, they are named', async () => {
    const fields = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`x${n}`, n]));
    const { body } = await post({ projectId: project.projectId, ...fields });
    expect(body.error.details).toHaveLength(12);
    expect(body.error.message).toBe('Invalid request: x0 is not a known field (and 11 more).');
  });

  test('of a choice, the fault of the branch that was meant is told', async () => {
    const { body } = await service.call('POST', '/v1/api-keys', {
      as: 'operator',
      body: { workspaceId: 'x', environment: 'live', name: 'x', permissions: ['root'] },
    });
    expect(body.error.details).toEqual([
      { path: 'permissions.0', issue: expect.stringMatching(/^must be one of track:write/) },
    ]);
  });

  test('every missing and wrong field is named, not only the first', async () => {
    const { body } = await post({ name: 7, kind: 'shop' });
    expect(body.error.details).toEqual(
      expect.arrayContaining([
        { path: 'projectId', issue: 'is required' },
        { path: 'name', issue: 'must be a string' },
        { path: 'kind', issue: 'must be one of application, billing, import' },
      ]),
    );
  });

  test.each([
    ['NUL', 'a\u0000b'],
    ['a lone high surrogate', 'a\ud800'],
    ['a lone low surrogate', '\udc00b'],
  ])('%s anywhere in a text (D-GEN-5)', async (_name, name) => {
    const { status, body } = await post({ projectId: project.projectId, name });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([
      { path: 'name', issue: 'must not contain NUL or a lone surrogate' },
    ]);
  });

  test('NUL in a field’s name, and a field named __proto__', async () => {
    expect((await post(`{"projectId":"${project.projectId}","a\\u0000":1}`)).status).toBe(400);
    expect((await post(`{"projectId":"${project.projectId}","__proto__":{}}`)).status).toBe(400);
  });

  test('nesting without end', async () => {
    const depth = 100_000;
    const { status, body } = await post(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    expect(status).toBe(400);
    expect(body.error.details[0].issue).toContain('nested deeper');
  });

  test.each([
    ['10,000 characters', 'x'.repeat(10_000)],
    ['blanks', ' \t '],
    ['nothing', ''],
    ['513 combining marks on one letter', `e${'\u0301'.repeat(513)}`],
  ])('a name of %s', async (_name, name) => {
    const { status, body } = await post({ projectId: project.projectId, name });
    expect(status).toBe(400);
    expect(body.error.details[0].path).toBe('name');
  });

  test('more items or fields than any call takes, whatever they are', async () => {
    const { projectId } = project;
    const endpoint = (eventTypes: readonly unknown[]) =>
      service.call('POST', '/v1/webhook-endpoints', {
        as: project.key,
        body: { projectId, url: 'https://shop.example.com', eventTypes },
      });
    const zeros = Array.from({ length: 60_000 }, () => 0);
    const long = await endpoint(zeros);
    expect([long.status, long.body.error.details]).toEqual([
      400,
      [{ path: 'eventTypes', issue: 'has more than 1000 items' }],
    ]);
    const twice = await endpoint(['signup.tracked', 'signup.tracked']);
    expect(twice.body.error.details).toContainEqual({
      path: 'eventTypes',
      issue: 'must not have the same item twice',
    });
    const events = await service.call('POST', '/v1/track/events/batch', {
      as: project.key,
      body: { projectId, events: Array.from({ length: 900_000 }, () => 0) },
    });
    expect(events.body.error.details[0].issue).toBe('has more than 1000 items');
    const fields = Object.fromEntries(Array.from({ length: 15_000 }, (_, n) => [`x${n}`, n]));
    const wide = await post({ projectId, ...fields });
    expect(wide.body.error.details).toEqual([{ path: '', issue: 'has more than 256 fields' }]);
  });

  test('null for an optional field counts as absent', async () => {
    const { status } = await post({ projectId: project.projectId, name: null, key: null });
    expect(status).toBe(200);
  });
});

test('no body, an empty one and an empty object are the same call under an Idempotency-Key', async () => {
  const change = (body?: string) =>
    service.call('PUT', `/v1/projects/${project.projectId}/mail-settings`, {
      as: project.key,
      headers: { 'idempotency-key': 'nothing-to-change' },
      ...(body === undefined ? {} : { body }),
    });
  const answers = [await change(), await change(''), await change('{}')];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  const other = await change('{"language":"de"}');
  expect([other.status, other.body.error.reason]).toEqual([409, 'idempotency_key_reused']);
});

describe('the form of a request', () => {
  test.each([
    ['text/plain', {}],
    ['application/xml', {}],
    ['application/json; charset=latin1', {}],
    ['application/json; charset=utf-16', {}],
    ['application/json', { 'content-encoding': 'gzip' }],
  ])('%s %o is 415', async (type, headers) => {
    const { status, body } = await post('{}', { 'content-type': type, ...headers });
    expect(status).toBe(415);
    expect(body.error.code).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json; charset=utf8',
    'application/json;charset="utf8"',
    'application/json; charset = UTF8',
  ])('%s is taken', async (type) => {
    const { status } = await post(JSON.stringify({ projectId: project.projectId }), {
      'content-type': type,
    });
    expect(status).toBe(200);
  });

  test('one byte more than 262,144 is 413', async () => {
    const fits = await post(JSON.stringify({ x: 'y'.repeat(262_144 - 8) }));
    expect(fits.status).toBe(400);
    const over = await post(JSON.stringify({ x: 'y'.repeat(262_144 - 7) }));
    expect(over.status).toBe(413);
    expect(over.body.error.code).toBe('PAYLOAD_TOO_LARGE');
  });

  test('an unknown path is 404, another method 405 with Allow', async () => {
    expect((await service.call('GET', '/openapiXjson')).status).toBe(404);
    const missing = await service.call('GET', '/v1/nothing');
    expect([missing.status, missing.body.error.code]).toEqual([404, 'NOT_FOUND']);
    const wrong = await service.call('DELETE', '/v1/sources');
    expect([wrong.status, wrong.body.error.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(wrong.headers.get('allow')).toBe('GET, HEAD, POST');
  });

  test('a path or a method that is not there is refused before the body is looked at (D-ERR-5)', async () => {
    const statusOf = async (method: string, path: string, headers: Record<string, string> = {}) => {
      const sent = request(`${service.url}${path}`, { method, headers });
      // Others have no body unless its length is given.
      sent.end(['QUERY', 'PUT', 'POST'].includes(method) ? '{' : undefined);
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    for (const headers of [
      {},
      { 'content-type': 'application/json' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    ]) {
      expect(await statusOf('QUERY', '/v1/sources', headers)).toBe(405);
      expect(await statusOf('QUERY', '/v1/nothing', headers)).toBe(404);
      expect(await statusOf('PUT', '/v1/sources', headers)).toBe(405);
      expect(await statusOf('POST', '/v1/nothing', headers)).toBe(404);
    }
    for (const method of METHODS.filter((one) => one !== 'CONNECT')) {
      expect([method, await statusOf(method, '/v1/nothing')]).toEqual([method, 404]);
    }
  });

  test('a path id of 512 characters reaches its handler, one of 513 is 400', async () => {
    const patch = (id: string) =>
      service.call('PATCH', `/v1/sources/${encodeURIComponent(id)}`, {
        as: project.key,
        body: { projectId: project.projectId },
      });
    expect((await patch('😀'.repeat(512))).status).toBe(404);
    expect((await patch('x'.repeat(513))).status).toBe(400);
    expect((await patch('\u0000')).status).toBe(400);
  });

  test.each(['/v1/sources/%zz', '/v1/sources/%ff'])('%s is 400, never 500', async (path) => {
    const { status } = await service.call('PATCH', path, { as: project.key, body: {} });
    expect(status).toBe(400);
  });

  test('a query parameter sent twice, blank or unknown', async () => {
    const get = (query: string) => service.call('GET', `/v1/sources?${query}`, { as: project.key });
    expect((await get(`projectId=${project.projectId}&projectId=x`)).status).toBe(400);
    expect((await get('projectId=%20')).status).toBe(400);
    expect((await get(`projectId=${'x'.repeat(129)}`)).status).toBe(400);
    expect((await get(`projectId=${project.projectId}&nobody=knows`)).status).toBe(200);
  });

  test('what is not HTTP gets an answer with a request id', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write('HELLO\r\n\r\n');
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toMatch(/"requestId":"req_[0-9a-z]{26}"/);
  });
});

describe('every answer', () => {
  test('carries a request id of our own making (D-LIM-3)', async () => {
    const { headers } = await service.call('GET', '/v1/nothing', {
      headers: { 'x-request-id': 'mine' },
    });
    expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
  });
});

test('openapi.json is sent packed, and not at all to who has it', async () => {
  const get = (headers: Record<string, string>) =>
    fetch(`${service.url}/openapi.json`, { headers });
  const packed = await get({ 'accept-encoding': 'gzip' });
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect(packed.headers.get('vary')).toBe('accept-encoding');
  const plain = await get({ 'accept-encoding': 'identity' });
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(await plain.json()).toEqual(await packed.json());
  const known = await get({ 'if-none-match': `"x", ${packed.headers.get('etag')}` });
  expect([known.status, await known.text()]).toEqual([304, '']);
});

test('neither keys, tokens, bodies nor addresses reach the log', async () => {
  await post({ projectId: project.projectId, name: 'Very Private Name' });
  await service.call('GET', '/v1/sources', {
    as: project.key,
    query: { projectId: project.projectId, secret: 'in-the-query' },
  });
  const text = service.log.join('');
  expect(text).toContain('"route":"/v1/sources"');
  for (const secret of [project.key, 'Very Private Name', 'in-the-query', '127.0.0.1', 'Bearer']) {
    expect(text).not.toContain(secret);
  }
});
