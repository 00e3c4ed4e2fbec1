import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimPayouts } from '../../src/outbound/payouts/transfers/payout-store.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import type { Instant } from '../../src/platform/kit/instant.ts';
import { startService, type TestService } from '../harness.ts';
import { copyAda, copyReward } from '../many-rewards.ts';
import { MemoryProvider } from '../memory-provider.ts';
import { openPayoutShop } from '../payout-shop.ts';

const PAYOUTS = 12;
const LIMIT = 3;

let service: TestService;
beforeAll(async () => {
  const provider = new MemoryProvider();
  service = await startService({ payoutProviders: [provider] });
  const shop = await openPayoutShop(service);
  service.payees.set(shop.adaId, provider.details);
  for (let n = 1; n < PAYOUTS; n += 1) {
    service.payees.set(`${shop.adaId}_${n}`, provider.details);
  }
  await copyAda(service, shop, PAYOUTS - 1);
  await copyReward(service, shop, PAYOUTS - 1, `beneficiary_participant_id || '_' || n`);
  await shop.submit({ method: 'paypal' });
  // Of a table that had one row in many pages when it was last analyzed, the planner expects one row. It then reads
  // all payouts, and the due ones again for each of them.
  await service.database.reads.query(
    `update pg_class set reltuples = 1, relpages = 100 where oid = 'payouts'::regclass`,
  );
});
afterAll(() => service.close());

const dueCount = async () => {
  const [row] = await service.database.reads.query<{ count: number }>(
    'select count(*)::integer as count from payouts where due_at <= $1',
    [service.clock.now],
  );
  return row?.count ?? 0;
};

async function claim(tx: Tx, leaseId: string): Promise<string[]> {
  const now = service.clock.now as Instant;
  const leasedUntil = '2099-01-01T00:00:00.000Z' as Instant;
  return (await claimPayouts(tx, { now, leaseId, leasedUntil, limit: LIMIT })).map(({ id }) => id);
}

test('a process takes no more payouts than it asked for, whatever the planner chooses', async () => {
  expect(await dueCount()).toBe(PAYOUTS);
  const taken = await service.database.transaction((tx) => claim(tx, 'lease-1'));
  expect(taken).toHaveLength(LIMIT);
  expect(await dueCount()).toBe(PAYOUTS - LIMIT);
});

test('two processes at once take different payouts, each as many as it asked for', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { database } = service;
  let isTaken = () => {};
  const firstTook = new Promise<void>((resolve) => {
    isTaken = resolve;
  });
  const first = database.transaction(async (tx) => {
    const ids = await claim(tx, 'lease-2');
    isTaken();
    await held;
    return ids;
  });
  await firstTook;
  const second = await database.transaction((tx) => claim(tx, 'lease-3'));
  release();
  const ids = [...(await first), ...second];
  expect([(await first).length, second.length]).toEqual([LIMIT, LIMIT]);
  expect(new Set(ids).size).toBe(2 * LIMIT);
});
