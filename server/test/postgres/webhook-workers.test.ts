import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Fleet } from '../fleet.ts';
import { asProduct, type Inbox, makeGate, openInbox } from '../inbox.ts';
import type { Acknowledged } from '../load.ts';
import type { Program } from '../process.ts';
import { reconcile } from '../reconcile.ts';
import { openShop, type Shop } from '../shop.ts';

const CASH = { benefitKind: 'cash', calculation: 'percentage', rateBps: 1_000 };
/** As many as two Projects can have. */
const ENDPOINTS = 20;
/** How many first attempts a worker sends to an endpoint at the same time. */
const SLOTS = 32;

let fleet: Fleet;
const workers: Program[] = [];
const inboxes: Inbox[] = [];
beforeAll(async () => {
  fleet = await Fleet.open();
  await fleet.startApi();
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.kill('SIGKILL')));
  await Promise.all(inboxes.splice(0).map((inbox) => inbox.close()));
  await fleet.giveUp();
});
afterAll(() => fleet.close());

async function startWorkers(count: number): Promise<void> {
  const started = await Promise.all(Array.from({ length: count }, () => fleet.startWorker()));
  workers.push(...started);
}

async function openShopWith(endpoints: number): Promise<Shop> {
  const shop = await openShop(fleet);
  await shop.addRule(CASH);
  for (let n = 0; n < endpoints; n += 1) inboxes.push(await openInbox(fleet, shop));
  return shop;
}

const order = (shop: Shop, name: string, count: number): Promise<Acknowledged[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, n) => ({
      shop,
      eventId: await shop.order(`${name}-${n}`),
    })),
  );

/** Attempts of a worker that were answered. One that finds no free connection in time never arrives. */
async function attemptsOf(worker: Program): Promise<number> {
  const text = await (await fetch(`${worker.url}/metrics`)).text();
  const counts = text.matchAll(
    /^goodword_webhook_attempt_seconds_count\{outcome="succeeded"\} (\d+)$/gm,
  );
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

const inFlight = () => inboxes.reduce((sum, inbox) => sum + inbox.inFlight(), 0);

async function expectAll(some: readonly Inbox[]): Promise<void> {
  for (const { missing } of some) await expect.poll(missing, { timeout: 30_000 }).toBe(0);
}

describe('workers at once, and 20 endpoints of two Projects', () => {
  let shops: Shop[];
  beforeEach(async () => {
    shops = [await openShopWith(ENDPOINTS / 2), await openShopWith(ENDPOINTS / 2)];
  });
  const orderInAll = async (count: number) =>
    (await Promise.all(shops.map((shop) => order(shop, 'order', count)))).flat();

  test.each([2, 3])('%s: nothing is sent twice when nobody fails', async (count) => {
    const gate = makeGate();
    for (const inbox of inboxes) {
      inbox.behave = async (...request) => {
        await gate.passed;
        return asProduct(...request);
      };
    }
    await startWorkers(count);
    const acknowledged = await orderInAll(20);
    // More than one of them has some on their way: each sends one to an endpoint that it does not know.
    await expect.poll(inFlight, { timeout: 9_000 }).toBeGreaterThan(ENDPOINTS);
    gate.open();
    await fleet.drain();
    await reconcile(fleet, inboxes, acknowledged);
    for (const { deliveries, ids } of inboxes) expect(deliveries).toHaveLength(ids().size);
    const shares = await Promise.all(workers.map(attemptsOf));
    const sent = inboxes.reduce((sum, { deliveries }) => sum + deliveries.length, 0);
    expect(shares.reduce((sum, share) => sum + share)).toBe(sent);
  });

  test('one hangs on every call: the others get everything while it does', async () => {
    await startWorkers(2);
    const [hanging, ...others] = inboxes as [Inbox, ...Inbox[]];
    hanging.behave = () => null;
    const acknowledged = await orderInAll(12);
    await expectAll(others);
    await expect.poll(hanging.inFlight, { timeout: 5_000 }).toBeGreaterThan(0);
    hanging.behave = asProduct;
    await fleet.drain({ waitsForRetries: false });
    await reconcile(fleet, inboxes, acknowledged);
  });
});

test('nine of ten endpoints of a Project hang: the tenth gets everything before any of them gives up', async () => {
  const shop = await openShopWith(10);
  const [healthy, ...hanging] = inboxes as [Inbox, ...Inbox[]];
  for (const inbox of hanging) inbox.behave = () => null;
  const acknowledged = await order(shop, 'order', 20);
  await startWorkers(1);
  await expectAll([healthy]);
  for (const { deliveries, inFlight: open } of hanging) expect(open()).toBe(deliveries.length);
  for (const inbox of hanging) inbox.behave = asProduct;
  await fleet.drain({ waitsForRetries: false });
  await reconcile(fleet, inboxes, acknowledged);
});

test('first attempts do not wait for a crowd of retries', async () => {
  await startWorkers(2);
  const shop = await openShopWith(1);
  const [inbox] = inboxes as [Inbox];
  inbox.behave = () => 500;
  const old = await order(shop, 'old', 60);
  await expectAll([inbox]);
  await expect.poll(() => fleet.leased()).toBe(0);
  const gate = makeGate();
  inbox.behave = async (...request) => {
    const [, , count] = request;
    if (count > 1) await gate.passed;
    return asProduct(...request);
  };
  await fleet.endWaits();
  await expect.poll(inbox.inFlight).toBeGreaterThan(0);
  const fresh = await order(shop, 'new', 60);
  await expectAll([inbox]);
  expect(inbox.inFlight()).toBeGreaterThan(0);
  expect(await fleet.queued()).toBeGreaterThan(60);
  gate.open();
  await fleet.drain({ waitsForRetries: false });
  await reconcile(fleet, inboxes, [...old, ...fresh]);
});

test('a worker that is stopped gives back what it has not sent, waits for answers, and ends', async () => {
  const shop = await openShopWith(1);
  const [inbox] = inboxes as [Inbox];
  await startWorkers(1);
  // It sends one at a time to an endpoint that it does not know.
  const known = await order(shop, 'known', 10);
  await fleet.drain();
  // Started before there is something to wait for: that takes long where much else runs.
  await startWorkers(1);
  const [first, second] = workers as [Program, Program];
  for (const worker of workers) worker.signal('SIGSTOP');
  const gate = makeGate();
  inbox.behave = async (...request) => {
    await gate.passed;
    return asProduct(...request);
  };
  const acknowledged = [...known, ...(await order(shop, 'order', 50))];
  // All at once: after a second of silence it would send no more.
  first.signal('SIGCONT');
  await expect.poll(inbox.inFlight, { timeout: 9_000 }).toBe(SLOTS);
  expect(await fleet.queued()).toBeGreaterThan(SLOTS);
  inbox.behave = asProduct;
  second.signal('SIGCONT');
  first.signal('SIGTERM');
  // The other gets them while the first still waits for the answers to what it sent.
  await expect.poll(() => fleet.queued(), { timeout: 9_000 }).toBe(SLOTS);
  expect(inbox.inFlight()).toBe(SLOTS);
  gate.open();
  expect(await first.ended).toMatchObject({ code: 0 });
  await fleet.drain();
  await reconcile(fleet, inboxes, acknowledged);
  expect(inbox.deliveries).toHaveLength(inbox.ids().size);
});
