import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { HOUR_MS } from '../../src/platform/kit/instant.ts';
import { Fleet } from '../fleet.ts';
import { asProduct, type Inbox, openInbox } from '../inbox.ts';
import type { Program } from '../process.ts';
import { reconcile } from '../reconcile.ts';
import { openShop, type Shop } from '../shop.ts';

const PRELOAD = fileURLToPath(new URL('../children/clock-shift.mjs', import.meta.url));
const CASH = { benefitKind: 'cash', calculation: 'percentage', rateBps: 1_000 };
const ORDERS = 10;
const AHEAD_MS = 3 * HOUR_MS;
const BEHIND_MS = -3 * HOUR_MS;
/** By the time that a receiver measures, which includes the way there. */
const FIRST_WAIT_AT_LEAST_MS = 29_000;

let folder: string;
let fleet: Fleet;
let shop: Shop;
let inbox: Inbox;
const workers: Program[] = [];
let made = 0;

interface Worker extends Program {
  step(shiftMs: number): void;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'goodword-clock-'));
  fleet = await Fleet.open();
  await fleet.startApi();
});
beforeEach(async () => {
  shop = await openShop(fleet);
  await shop.addRule(CASH);
  inbox = await openInbox(fleet, shop);
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.kill('SIGKILL')));
  await inbox.close();
  await fleet.giveUp();
});
afterAll(async () => {
  await fleet.close();
  rmSync(folder, { recursive: true });
});

/** A worker whose clock is off by so much, until it is stepped. */
async function startWorker(shiftMs: number): Promise<Worker> {
  const file = join(folder, `shift-${made}`);
  made += 1;
  writeFileSync(file, String(shiftMs));
  const worker = await fleet.startWorker({
    NODE_OPTIONS: `--import ${PRELOAD}`,
    CLOCK_SHIFT_FILE: file,
  });
  workers.push(worker);
  return {
    ...worker,
    step(nextMs) {
      writeFileSync(file, String(nextMs));
      worker.signal('SIGUSR2');
    },
  };
}

const order = (name: string) =>
  Promise.all(
    Array.from({ length: ORDERS }, async (_, n) => ({
      shop,
      eventId: await shop.order(`${name}-${n}`),
    })),
  );

/** Waits until each event of the feed came, and returns when each of them came. */
async function arrivals(): Promise<Map<string, number[]>> {
  await expect.poll(inbox.missing).toBe(0);
  const times = new Map<string, number[]>();
  for (const { id, atMs } of inbox.deliveries) times.set(id, [...(times.get(id) ?? []), atMs]);
  return times;
}

/** An endpoint that nothing is known of gets one request at a time; one that answered well gets many. */
async function proveEndpoint(name: string): Promise<void> {
  inbox.behave = asProduct;
  await order(name);
  await arrivals();
}

test('workers whose clocks differ by hours leave alone what another has leased or put off', async () => {
  await Promise.all([0, AHEAD_MS, BEHIND_MS].map(startWorker));
  await proveEndpoint('first');
  // The first requests take long; later ones fail at once, however few are sent at a time by then.
  const held = delay(2_500);
  inbox.behave = async () => {
    await held;
    return 500;
  };
  await order('order');
  await arrivals();
  // Each looks several times for what is due: while requests are on their way, and after.
  await delay(6_000);
  expect(inbox.deliveries).toHaveLength(inbox.ids().size);
});

test('clocks are stepped while deliveries and retries wait: all come, and no sooner nor later for it', async () => {
  const first = await startWorker(0);
  inbox.behave = () => 500;
  const failing = await order('failing');
  const firstTimes = await arrivals();
  await expect.poll(() => fleet.leased()).toBe(0);
  first.step(AHEAD_MS);
  await proveEndpoint('between');
  inbox.behave = () => null;
  const hanging = await order('hanging');
  await arrivals();
  await first.kill('SIGKILL');
  inbox.behave = asProduct;
  await startWorker(BEHIND_MS);
  await fleet.drain();
  for (const [id, [before = 0]] of firstTimes) {
    const again = inbox.deliveries.filter((one) => one.id === id && one.atMs > before);
    expect(again).toHaveLength(1);
    expect((again[0]?.atMs ?? 0) - before).toBeGreaterThan(FIRST_WAIT_AT_LEAST_MS);
  }
  await reconcile(fleet, [inbox], [...failing, ...hanging]);
});
