import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Fleet } from '../fleet.ts';
import { asProduct, type Behaviour, type Inbox, makeGate, openInbox } from '../inbox.ts';
import { type Load, startLoad } from '../load.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../private-postgres.ts';
import type { Program } from '../process.ts';
import { reconcile } from '../reconcile.ts';
import { openShop, type Shop } from '../shop.ts';

const CASH = { benefitKind: 'cash', calculation: 'percentage', rateBps: 1_000 };

/** Its own, to be restarted without a word to other tests. */
let postgres: PrivatePostgres;
let fleet: Fleet;
let inboxes: Inbox[] = [];
let workers: Program[] = [];
let load: Load;
beforeAll(async () => {
  postgres = await startPrivatePostgres();
  fleet = await Fleet.open(postgres.url);
  await fleet.startApi();
});
afterAll(async () => {
  await fleet.close();
  await postgres.stop();
});

/** So that at any time some requests are on their way. */
const slowly: Behaviour = async (...request) => {
  await delay(40);
  return asProduct(...request);
};

/** Two Projects under load, one with two endpoints, and two workers. */
beforeEach(async () => {
  const shops = [await openShop(fleet), await openShop(fleet)] as [Shop, Shop];
  for (const shop of shops) await shop.addRule(CASH);
  const [first, second] = shops;
  inboxes = [];
  for (const shop of [first, first, second]) inboxes.push(await openInbox(fleet, shop, slowly));
  workers = await Promise.all([fleet.startWorker(), fleet.startWorker()]);
  load = startLoad(shops, { pauseMs: 60 });
  await arrivals(50);
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.kill('SIGKILL')));
  await Promise.all(inboxes.map((inbox) => inbox.close()));
  await fleet.giveUp();
});

const delivered = () => inboxes.reduce((sum, { deliveries }) => sum + deliveries.length, 0);
const inFlight = () => inboxes.reduce((sum, inbox) => sum + inbox.inFlight(), 0);

/** Waits until that many more requests have come in. */
async function arrivals(count: number): Promise<void> {
  const enough = delivered() + count;
  await expect.poll(delivered, { timeout: 45_000 }).toBeGreaterThanOrEqual(enough);
}

async function whileSending(): Promise<void> {
  await expect.poll(inFlight, { timeout: 10_000, interval: 1 }).toBeGreaterThan(0);
}

/** Keeps all requests waiting; returns how to answer them, once both workers have some on their way. */
async function holdRequestsOfBoth(): Promise<() => void> {
  const gate = makeGate();
  for (const inbox of inboxes) {
    inbox.behave = async (...request) => {
      await gate.passed;
      return asProduct(...request);
    };
  }
  // An endpoint that is silent gets few at a time, so their number does not tell whose they are. But
  // all have something due, and whoever has nothing on its way to one finds that at its next poll.
  const fewest = () => Math.min(...inboxes.map((inbox) => inbox.inFlight()));
  await expect.poll(fewest, { timeout: 5_000 }).toBeGreaterThan(0);
  await delay(2_500);
  return gate.open;
}

async function settle(): Promise<void> {
  await load.stop();
  await fleet.drain();
  const events = await reconcile(fleet, inboxes, load.acknowledged);
  expect(events.length).toBeGreaterThan(100);
}

describe('processes are killed under load, and all of it is delivered', () => {
  test('the API', async () => {
    for (let round = 0; round < 2; round += 1) {
      await fleet.api?.kill('SIGKILL');
      await fleet.startApi();
      await arrivals(50);
    }
    await settle();
  });

  test('a worker: the other takes over what it had when its leases end', async () => {
    const openGate = await holdRequestsOfBoth();
    const before = inFlight();
    await workers[0]?.kill('SIGKILL');
    await expect.poll(inFlight, { timeout: 10_000 }).toBeLessThan(before);
    openGate();
    await settle();
  });

  test('the API and every worker, again and again', async () => {
    for (let round = 0; round < 2; round += 1) {
      await whileSending();
      await Promise.all([fleet.api, ...workers].map((program) => program?.kill('SIGKILL')));
      // Nobody is left to hold a lease.
      await fleet.endLeases();
      workers = [await fleet.startWorker()];
      await fleet.startApi();
      await arrivals(50);
    }
    await settle();
  });
});

test('a worker is frozen until others have what it had: it does no harm when it wakes', async () => {
  const openGate = await holdRequestsOfBoth();
  const [frozen] = workers as [Program];
  frozen.signal('SIGSTOP');
  await fleet.endLeases();
  openGate();
  await settle();
  frozen.signal('SIGCONT');
  // Answers, all of which are too late, and what it had not sent yet.
  await delay(3_000);
  frozen.signal('SIGTERM');
  expect(await frozen.ended).toMatchObject({ code: 0 });
  await settle();
});

describe('PostgreSQL is restarted under load, and all of it is delivered', () => {
  test.each(['fast', 'immediate'] as const)('%s', async (mode) => {
    for (let round = 0; round < 2; round += 1) {
      await whileSending();
      await postgres.restart(mode);
      await arrivals(50);
    }
    await load.stop();
    // Of what was being claimed as it went down, nobody knows to have it.
    await fleet.endLeases();
    await settle();
  });
});
