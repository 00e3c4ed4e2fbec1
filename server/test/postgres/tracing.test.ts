import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addEndpoint, addParticipant } from '../backup-shop.ts';
import { type CollectedSpan, type Collector, startCollector } from '../collector.ts';
import { copyPostgres } from '../database.ts';
import type { Shop } from '../embedded/shop.ts';
import { ADMIN_TOKEN, ROOT_KEY } from '../harness.ts';
import { killAll, type Program, startProgram } from '../process.ts';
import { type Catcher, catchWebhooks } from '../webhook-catcher.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
let copy: { url: string; drop(): Promise<void> };
let collector: Collector;
let catcher: Catcher;
let program: Program;
let shop: Shop;

async function operate(path: string, body: object) {
  const response = await fetch(program.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await response.json()) as { data: { id: string }; key: string };
}

beforeAll(async () => {
  [copy, collector, catcher] = await Promise.all([
    copyPostgres(),
    startCollector([503]),
    catchWebhooks(),
  ]);
  program = await startProgram({
    DATABASE_URL: copy.url,
    ADMIN_TOKEN,
    ROOT_KEY: ROOT_KEY.toString('base64'),
    LOG_LEVEL: 'warn',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=growth',
    OTEL_SERVICE_NAME: 'referrals',
  });
  const { data: workspace } = await operate('/v1/workspaces', { name: 'Acme' });
  const place = { workspaceId: workspace.id, environment: 'live', name: 'Shop' };
  const { data: project } = await operate('/v1/projects', place);
  const { key } = await operate('/v1/api-keys', { ...place, permissions: 'full' });
  shop = { projectId: project.id, key };
  await addEndpoint(program.url, shop, `${catcher.url}/secret-path?token=secret-token`);
  const told = await fetch(`${program.url}/v1/participants?projectId=${shop.projectId}`, {
    headers: { 'x-api-key': shop.key, traceparent: `00-${TRACE}-${CALLER}-00` },
  });
  expect(told.status).toBe(200);
  await fetch(`${program.url}/v1/participants`, {
    method: 'PUT',
    headers: {
      'x-api-key': shop.key,
      'content-type': 'application/json',
      traceparent: `00-${TRACE}-${CALLER}-01`,
    },
    body: JSON.stringify({
      projectId: shop.projectId,
      participant: { kind: 'individual', externalId: 'ada-lovelace' },
      email: 'ada@example.com',
    }),
  });
  await addParticipant(program.url, shop, 'bob');
  await vi.waitFor(() => expect(catcher.caught).toHaveLength(2), 30_000);
  // Then what was refused is sent again; what is first sent at the end is not.
  await vi.waitUntil(() => collector.refusals() === 1, 30_000);
  const { code, stdout } = await program.kill('SIGTERM');
  expect(code).toBe(0);
  expect(stdout).not.toContain('spans lost');
});
afterAll(async () => {
  await killAll();
  await Promise.all([collector.close(), catcher.close(), copy.drop()]);
});

const childrenOf = (parent: CollectedSpan | undefined) =>
  collector.spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId);

test('a call goes on in the caller’s trace: route, write, statements, commit', () => {
  const [call, ...others] = collector.spans.filter(({ parentSpanId }) => parentSpanId === CALLER);
  expect(others).toEqual([]);
  expect(call).toMatchObject({
    traceId: TRACE,
    name: 'PUT /v1/participants',
    kind: 2,
    attributes: {
      'http.request.method': 'PUT',
      'http.route': '/v1/participants',
      'http.response.status_code': '200',
      'goodword.request_id': expect.stringMatching(/^req_/),
    },
    status: {},
  });
  const write = childrenOf(call).find(({ name }) => name.startsWith('write '));
  expect(write).toMatchObject({
    traceId: TRACE,
    kind: 1,
    attributes: { 'goodword.commands': '1' },
  });
  const statements = childrenOf(write);
  expect(statements.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['sql SELECT', 'sql COMMIT']),
  );
  for (const span of [call, write, ...statements] as CollectedSpan[]) {
    expect(span.traceId).toBe(TRACE);
    expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true);
  }
});

test('a webhook is a span of its own, by its host, and tells its receiver', () => {
  const sent = collector.spans.filter(({ name }) => name === 'POST 127.0.0.1');
  expect(sent).toHaveLength(2);
  const told = catcher.caught.map(({ headers }) => headers.traceparent);
  expect(told.toSorted()).toEqual(
    sent.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`).toSorted(),
  );
  expect(sent[0]).toMatchObject({ kind: 3, attributes: { 'http.response.status_code': '200' } });
});

test('what the caller does not want to be told is not: its trace says so', () => {
  const listed = collector.spans.filter(({ name }) => name === 'GET /v1/participants');
  expect(listed).toEqual([]);
});

test('nothing is told of people, secrets, paths or values, nor of the telling itself', () => {
  const all = collector.texts.join('\n');
  for (const secret of [
    'ada-lovelace',
    'ada@',
    'bob',
    'example.com',
    shop.key,
    shop.projectId,
    ADMIN_TOKEN,
    'secret-path',
    'secret-token',
  ]) {
    expect(all, secret).not.toContain(secret);
  }
  // Of calls that began here there are ours and webhooks, and none to the collector.
  const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined);
  expect(new Set(roots.map(({ name }) => name.split(' ')[0]))).toEqual(new Set(['POST', 'PUT']));
});

test('the collector hears who tells, with the headers that it asks for, and again if it was busy', () => {
  expect(collector.texts[0]).toContain(
    '{"key":"service.name","value":{"stringValue":"referrals"}}',
  );
  for (const headers of collector.headers) {
    expect(headers).toMatchObject({ 'x-team': 'growth', 'content-type': 'application/json' });
    expect(headers.traceparent).toBeUndefined();
  }
});
