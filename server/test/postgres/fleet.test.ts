import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Received, readStream, type StreamCall, type StreamReader } from '../event-stream.ts';
import { Fleet } from '../fleet.ts';
import { findFreePort } from '../free-port.ts';
import { type Inbox, openInbox } from '../inbox.ts';
import { type Nginx, startNginx } from '../nginx.ts';
import type { Program } from '../process.ts';
import { reconcile } from '../reconcile.ts';
import { openShop, type Shop } from '../shop.ts';
import { startTraffic, type Traffic } from '../traffic.ts';

/** Two processes that serve behind nginx, and two that work. */
const NODES = 2;
const CASH = { benefitKind: 'cash', calculation: 'percentage', rateBps: 1_000 };

let fleet: Fleet;
let nginx: Nginx;
const ports: number[] = [];
const nodes: Program[] = [];
const workers: Program[] = [];
const inboxes: Inbox[] = [];

beforeAll(async () => {
  fleet = await Fleet.open();
  while (ports.length < NODES) ports.push(await findFreePort());
  nginx = await startNginx(ports.map((port) => `127.0.0.1:${port}`));
  fleet.front = nginx.url;
  const starting = Array.from({ length: NODES }, async (_, index) => {
    nodes[index] = await startNode(index);
    workers[index] = await fleet.startWorker();
  });
  await Promise.all(starting);
});
afterAll(async () => {
  await Promise.all(inboxes.map((inbox) => inbox.close()));
  await fleet.close();
  await nginx.stop();
});

const startNode = (index: number): Promise<Program> =>
  fleet.startNode({
    PORT: String(ports[index]),
    BASE_URL: nginx.url,
    TRUST_PROXY: '127.0.0.1',
    // More than keepalive_timeout and fail_timeout of goodword.conf.
    DRAIN_SECONDS: '3',
    // All callers of this test have one address.
    CLICKS_PER_MINUTE: '1000000',
  });

async function openShopWithInbox(): Promise<Shop> {
  const shop = await openShop(fleet);
  await shop.addRule(CASH);
  inboxes.push(await openInbox(fleet, shop));
  return shop;
}

/** Resolves once callers have got so many more answers to this, whatever happens meanwhile. */
async function moreAnswers(traffic: Traffic, kind: string, count: number): Promise<void> {
  const reached = (traffic.answered.get(kind) ?? 0) + count;
  await expect
    .poll(() => traffic.answered.get(kind) ?? 0, { timeout: 30_000, interval: 20 })
    .toBeGreaterThanOrEqual(reached);
}

/** Follows the stream as a consumer does: where it ends, it goes on from the last event it has. */
function followStream(url: string, call: StreamCall) {
  const received: Received[] = [];
  let connections = 0;
  let isOver = false;
  let reader: StreamReader | undefined;
  async function follow(): Promise<void> {
    while (!isOver) {
      const last = received.at(-1);
      reader = await readStream(url, last ? { ...call, lastEventId: last.id } : call);
      expect(reader.status).toBe(200);
      connections += 1;
      await reader.ended;
      received.push(...reader.events);
    }
  }
  const following = follow();
  following.catch(() => undefined);
  const all = () => (isOver ? received : [...received, ...(reader?.events ?? [])]);
  return {
    count: () => all().length,
    ids: () => all().map(({ data }) => JSON.parse(data).id as string),
    connections: () => connections,
    async stop() {
      isOver = true;
      await reader?.hangUp();
      await following;
    },
  };
}

test('what nobody outside should ask is not there, and a key is not to come without TLS', async () => {
  const statusOf = async (url: string) => (await fetch(url, { redirect: 'manual' })).status;
  expect(await statusOf(`${nginx.url}/healthz`)).toBe(200);
  expect(await statusOf(`${nginx.url}/metrics`)).toBe(404);
  expect(await statusOf(`${nginx.url}/readyz`)).toBe(404);
  expect(await statusOf(`${nginx.plainUrl}/v1/programs`)).toBe(403);
  expect(await statusOf(`${nginx.plainUrl}/console`)).toBe(301);
});

test('every process is restarted, one after the other, and no request fails', async () => {
  const shop = await openShopWithInbox();
  const { projectId, key } = shop.project;
  const stream = followStream(nginx.url, { projectId, key });
  const traffic = startTraffic(fleet, shop);
  await moreAnswers(traffic, 'purchase', 20);

  for (let index = 0; index < NODES; index += 1) {
    await Promise.all([restartNode(index, traffic), restartWorker(index)]);
  }
  await traffic.stop();

  expect(traffic.failures, await nginx.errors()).toEqual([]);
  await fleet.drain();
  const feed = await reconcile(fleet, inboxes, traffic.acknowledged);
  await expect.poll(stream.count).toBe(feed.length);
  await stream.stop();
  expect(stream.ids()).toEqual(feed.map(({ id }) => id));
  expect(stream.connections()).toBeGreaterThan(1);
});

async function restartNode(index: number, traffic: Traffic): Promise<void> {
  const node = nodes[index] as Program;
  node.signal('SIGTERM');
  // It says that it wants no more, and serves on.
  await expect
    .poll(async () => (await fetch(`http://127.0.0.1:${ports[index]}/readyz`)).status)
    .toBe(503);
  await moreAnswers(traffic, 'simulation', 5);
  expect(await node.ended).toMatchObject({ code: 0, stderr: '' });
  await moreAnswers(traffic, 'simulation', 5);
  nodes[index] = await startNode(index);
  await isUsed(index);
}

async function restartWorker(index: number): Promise<void> {
  expect(await workers[index]?.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  workers[index] = await fleet.startWorker();
}

/** nginx leaves a process that refused connections alone for a while; on a busy machine its first answer takes long. */
const isUsed = (index: number) => expect.poll(() => countTracked(index)).toBeGreaterThan(10);

/** How many facts a process has been told since it started. */
async function countTracked(index: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${ports[index]}/metrics`)).text();
  const counts = text.matchAll(
    /^goodword_http_request_seconds_count\{[^}]*\/v1\/track\/[^}]*\} (\d+)$/gm,
  );
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Asks once: nginx sees to it that there is an answer. */
async function signUpOnce({ project, sourceNamespaceId }: Shop, externalId: string) {
  const answer = await fetch(`${nginx.url}/v1/track/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': project.key },
    body: JSON.stringify({
      projectId: project.projectId,
      sourceNamespaceId,
      type: 'signup',
      participant: { kind: 'individual', externalId },
    }),
  });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { eventId: string }).eventId;
}

test('a process that serves and one that works are killed: each fact is there once, and every webhook arrives', async () => {
  const shop = await openShopWithInbox();
  const traffic = startTraffic(fleet, shop, { repeats: true });
  await Promise.all(nodes.map((_, index) => isUsed(index)));
  // Frozen, it takes requests and answers none: so some are under way when it dies.
  nodes[0]?.signal('SIGSTOP');
  let answered = 0;
  const burst = Array.from({ length: 12 }, async (_, n) => {
    const eventId = await signUpOnce(shop, `burst-${n}`);
    answered += 1;
    return { shop, eventId };
  });
  await expect.poll(() => answered, { interval: 20 }).toBeGreaterThan(1);
  expect(answered).toBeLessThan(burst.length);
  await Promise.all([nodes[0]?.kill('SIGKILL'), workers[0]?.kill('SIGKILL')]);
  const acknowledged = await Promise.all(burst);
  await moreAnswers(traffic, 'purchase', 30);
  await traffic.stop();
  // Nobody saw it, but whoever asked what nginx must not ask twice.
  expect(traffic.failures.filter((one) => !one.startsWith('simulation'))).toEqual([]);

  await workers[1]?.kill('SIGKILL');
  await fleet.endLeases();
  workers[1] = await fleet.startWorker();
  await fleet.drain({ waitsForRetries: false });
  acknowledged.push(...traffic.acknowledged);
  const told = acknowledged.map(({ eventId }) => eventId);
  expect(new Set(told).size).toBe(told.length);
  await reconcile(fleet, inboxes, acknowledged);
  const recorded = (await shop.feed()).filter(({ type }) => type === 'event.recorded');
  // And bob's signup, with which the shop began.
  expect(recorded.length).toBe(told.length + 1);
});
