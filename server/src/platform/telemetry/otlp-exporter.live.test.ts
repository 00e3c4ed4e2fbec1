import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { EndedSpan } from '../kit/tracer.ts';
import { createExporter } from './otlp-exporter.ts';

const SPAN: EndedSpan = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  parentId: null,
  name: 'GET /v1/rewards',
  kind: 'server',
  startedAt: 1_760_000_000_000_000,
  endedAt: 1_760_000_000_001_000,
  attributes: {},
  links: [],
  isFailed: false,
};

let answer: (response: ServerResponse) => void;
let sizes: number[] = [];
let lost: { count: number; why: string }[] = [];
const collector = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const [{ scopeSpans }] = JSON.parse(Buffer.concat(chunks).toString()).resourceSpans;
  sizes.push(scopeSpans[0].spans.length);
  answer(response);
});

beforeAll(async () => {
  await once(collector.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  collector.closeAllConnections();
  collector.close();
});
beforeEach(() => {
  sizes = [];
  lost = [];
});
afterEach(() => {
  vi.useRealTimers();
});

const open = () =>
  createExporter({
    endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    headers: {},
    serviceName: 'goodword',
    version: '1.0.0',
    onLost: (count, why) => lost.push({ count, why }),
  });
const lostCount = () => lost.reduce((sum, { count }) => sum + count, 0);

test('a collector that never answers costs spans: neither memory, nor the time to stop', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  answer = () => {};
  const exporter = open();
  for (let n = 0; n < 20_000; n += 1) exporter.add(SPAN);
  await vi.waitUntil(() => sizes.length > 0, 10_000);
  // At most one batch in progress and a full queue are kept.
  expect(20_000 - lostCount()).toBeLessThanOrEqual(512 + 4_096);
  expect(sizes).toEqual([512]);

  let isClosed = false;
  const closed = exporter.close().then(() => {
    isClosed = true;
  });
  await vi.advanceTimersByTimeAsync(2_900);
  expect(isClosed).toBe(false);
  await vi.advanceTimersByTimeAsync(100);
  await closed;
  expect(sizes).toEqual([512]);
  expect(lostCount()).toBe(20_000);
  expect(new Set(lost.map(({ why }) => why))).toEqual(new Set(['the collector is too slow']));
});

test('what came while a batch was under way goes with the next ones, each once', async () => {
  const held: ServerResponse[] = [];
  answer = (response) => held.push(response);
  const exporter = open();
  for (let n = 0; n < 1_300; n += 1) exporter.add(SPAN);
  await vi.waitUntil(() => held.length === 1, 10_000);
  answer = (response) => response.end('{}');
  held[0]?.end('{}');
  await vi.waitUntil(() => sizes.length === 2, 10_000);
  await exporter.close();
  expect(sizes).toEqual([512, 512, 276]);
  expect(lost).toEqual([]);
});

test('closing does not wait for the next try: it makes the last one at once', async () => {
  answer = (response) => response.writeHead(503).end();
  const exporter = open();
  for (let n = 0; n < 512; n += 1) exporter.add(SPAN);
  await vi.waitUntil(() => sizes.length === 1, 10_000);
  await exporter.close();
  expect(sizes).toEqual([512, 512]);
  expect(lost).toEqual([{ count: 512, why: 'the collector answered 503' }]);
});
