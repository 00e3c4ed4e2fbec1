import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Receiver, receiveHttp } from '../../../test/receiver.ts';
import { callJson } from '../../outbound/integrations/call-json.ts';
import { createStripeClient } from '../../outbound/integrations/stripe/connections/client.ts';
import { type EndedSpan, readTraceparent, Tracer, toTraceparent } from '../kit/tracer.ts';
import { traceCalls } from './open-tracing.ts';

let receiver: Receiver;
let status = 200;
const heard: (string | string[] | undefined)[] = [];
beforeAll(async () => {
  receiver = await receiveHttp((request, response) => {
    heard.push(request.headers.traceparent);
    response.statusCode = status;
    response.setHeader('content-type', 'application/json').end('{"data":[]}');
  });
});
afterAll(() => receiver.close());

let ended: EndedSpan[];
let tracer: Tracer;
let stop: () => void;
beforeEach(() => {
  ended = [];
  heard.length = 0;
  status = 200;
  tracer = new Tracer(1, (span) => ended.push(span));
  stop = traceCalls(tracer);
});
afterEach(() => stop());

const call = (port = receiver.port) =>
  callJson({ method: 'GET', url: `http://127.0.0.1:${port}/v1/secret?token=x`, headers: {} });

test('a call of a provider is told by its host and answer, as part of what called it', async () => {
  const outer = tracer.start('outer');
  await tracer.run(outer, () => call());
  expect(ended).toMatchObject([
    {
      name: 'GET 127.0.0.1',
      kind: 'client',
      traceId: outer.traceId,
      parentId: outer.spanId,
      attributes: {
        'http.request.method': 'GET',
        'server.address': '127.0.0.1',
        'http.response.status_code': 200,
      },
      isFailed: false,
    },
  ]);
  expect(JSON.stringify(ended)).not.toMatch(/secret|token/);
  expect(heard).toEqual([`00-${outer.traceId}-${ended[0]?.spanId}-01`]);
});

test('a refusal and a broken connection are failures', async () => {
  status = 500;
  await call();
  const gone = await receiveHttp(() => undefined);
  await gone.close();
  await call(gone.port).catch(() => undefined);
  expect(ended.map(({ isFailed, attributes }) => [isFailed, attributes['error.type']])).toEqual([
    [true, '500'],
    [true, 'ECONNREFUSED'],
  ]);
});

test('so is a call of the Stripe client, which goes another way', async () => {
  const stripe = await createStripeClient('sk_test_hush', {
    host: '127.0.0.1',
    port: receiver.port,
    protocol: 'http',
  });
  await stripe.customers.list();
  expect(ended).toMatchObject([
    { name: 'GET 127.0.0.1', attributes: { 'http.response.status_code': 200 } },
  ]);
  expect(JSON.stringify(ended)).not.toContain('hush');
});

test('once stopped, and in silence, nothing is told', async () => {
  await tracer.silently(() => call());
  stop();
  await call();
  expect(ended).toEqual([]);
  expect(heard).toEqual([undefined, undefined]);
});

test('a header of another form is none', () => {
  const context = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: true };
  expect(readTraceparent(toTraceparent(context))).toEqual(context);
  for (const header of [
    undefined,
    '',
    `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`,
    `00-${'a'.repeat(32)}-${'0'.repeat(16)}-01`,
    `01-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    `00-${'A'.repeat(32)}-${'b'.repeat(16)}-01`,
  ]) {
    expect(readTraceparent(header)).toBeNull();
  }
});

test('of the traces that begin here so many are told as was asked, whole or not at all', async () => {
  const never = new Tracer(0, (span) => ended.push(span));
  await never.span('outer', {}, () => never.span('inner', {}, async () => undefined));
  const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: true };
  await never.span('from elsewhere', { parent }, async () => undefined);
  expect(ended.map(({ name }) => name)).toEqual(['from elsewhere']);
});
