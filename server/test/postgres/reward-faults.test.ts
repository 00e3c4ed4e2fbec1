import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type DeliverRewards,
  makeDeliverRewards,
} from '../../src/domain/rewards/delivery/deliver-rewards.ts';
import { LEASE_MS } from '../../src/domain/rewards/delivery/provider.ts';
import { reportDeliveries } from '../../src/domain/rewards/delivery/report-deliveries.ts';
import { queueDeliveries } from '../../src/outbound/webhooks/queue/queue-deliveries.ts';
import { createDatabase } from '../../src/platform/db/database.ts';
import { openPostgres } from '../../src/platform/db/postgres.ts';
import { createProjectWriter } from '../../src/platform/feed/writer/writer.ts';
import { makeNewId } from '../../src/platform/kit/ids.ts';
import { DAY_MS } from '../../src/platform/kit/instant.ts';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { copyPostgres } from '../database.ts';
import { ROOT_KEY, startService, type TestService } from '../harness.ts';
import { childProgram } from '../process.ts';
import { makeRandom } from '../random.ts';
import { openRewardShop, type RewardShop } from '../reward-shop.ts';
import type { FakeAccount } from '../stripe/account.ts';
import { type FakeStripe, type StripeFault, startFakeStripe } from '../stripe/fake-stripe.ts';

const CHILD = childProgram('reward-worker');
const PEOPLE = 24;
let copy: Awaited<ReturnType<typeof copyPostgres>>;
let fake: FakeStripe;
let service: TestService;
let shop: RewardShop;
let account: FakeAccount;
let shops = 0;
let rewardIds: string[];
const children: ChildProcess[] = [];

beforeAll(async () => {
  copy = await copyPostgres();
  fake = await startFakeStripe({ timeoutMs: 1_000, nowMs: () => service.clock.nowMs() });
  const driver = openPostgres({
    connectionString: copy.url,
    poolSize: 10,
    onIdleError: () => undefined,
  });
  service = await startService({ database: createDatabase(driver), stripeReach: fake.reach });
});
afterAll(async () => {
  await service.close();
  await fake.close();
  await copy.drop();
});
afterEach(() => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
});

/** Each of many people earns a credit and a discount, and has a subscription. */
beforeEach(async () => {
  fake.mend();
  shops += 1;
  const restrictedKey = `rk_test_${String(shops).padStart(20, 'a')}`;
  account = fake.account(restrictedKey);
  const connect = async (projectId: string) => {
    await service.call('POST', '/v1/integrations/stripe/connections', {
      as: 'operator',
      body: { projectId, restrictedKey },
    });
  };
  shop = await openRewardShop(service, connect, ['credit', 'discount'], 'referee');
  rewardIds = [];
  for (let person = 0; person < PEOPLE; person += 1) {
    const who = `p${person}`;
    rewardIds.push(await shop.earnBy('credit', who));
    const { data } = (await shop.read('/v1/rewards', { benefitKind: 'discount' })).body;
    rewardIds.push(data[0].id);
    account.addCustomer({ id: `cus_${who}` });
    account.addSubscription(`cus_${who}`);
    await shop.bill(`cus_${who}`, who);
  }
});

/** What another process would work with: only the database is the same. */
function anotherWorker(): DeliverRewards {
  const { database, clock, rewardDeps } = service;
  const newId = makeNewId(clock.nowMs);
  const writer = createProjectWriter({
    fanOut: queueDeliveries,
    database,
    clock,
    newId,
    queueMax: 1_000,
  });
  return makeDeliverRewards({ ...rewardDeps, newId, writer }, (error) => {
    const isOfStripe = error instanceof Stripe.errors.StripeError;
    if (!isOfStripe && !String(error).startsWith('Error: Delivery rwd_')) throw error;
  });
}

async function passDays(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    service.clock.advance(DAY_MS);
    await service.deliverRewards();
  }
}

/** Stripe's ledger is the truth: every Reward is there once, and we know it. */
async function expectDeliveredOnce(): Promise<void> {
  const credited = account.balanceTransactions.map(({ metadata }) => metadata.rewardId);
  const given = [...account.subscriptions.values()].flatMap(({ discounts }) =>
    discounts.map(({ source }) => source.coupon),
  );
  expect([...credited, ...given].toSorted()).toEqual(rewardIds.toSorted());
  expect(account.promotionCodes.size).toBe(0);
  for (const { amount } of account.balanceTransactions) expect(amount).toBe(-500);
  const { data } = (await shop.read('/v1/rewards', { limit: '100' })).body;
  expect(new Set(data.map((one: { fulfillmentStatus: string }) => one.fulfillmentStatus))).toEqual(
    new Set(['fulfilled']),
  );
  const feed = await shop.feed();
  const fulfilled = feed.filter(({ type }) => type === 'reward.fulfilled');
  expect(fulfilled.map((event) => event.data.reward.id).toSorted()).toEqual(rewardIds.toSorted());
  const { projectId } = shop.project;
  expect((await verifyProject(service.database, projectId)).kept).toEqual([]);
  const { reads } = service.database;
  const { providers } = service.rewardDeps;
  const { deliveries } = await reportDeliveries({ reads, providers }, projectId, {
    after: null,
    limit: 10_000,
  });
  for (const { believed, reported } of deliveries) expect(reported).toBe(believed);
  expect(deliveries).toHaveLength(rewardIds.length);
}

describe('on PostgreSQL', () => {
  test('four workers at the same time deliver each Reward once', async () => {
    const workers = Array.from({ length: 4 }, anotherWorker);
    for (let round = 0; round < 6; round += 1) {
      await Promise.all(workers.map((deliver) => deliver()));
    }
    await passDays(2);
    await expectDeliveredOnce();
  });

  test('four workers, and calls that go wrong in every way', async () => {
    const random = makeRandom(7);
    const kinds: readonly StripeFault[] = [
      'silence_before',
      'silence_after',
      'error_before',
      'error_after',
      'throttled',
      'conflict',
      'unauthorized',
      'reset_after',
    ];
    const workers = Array.from({ length: 4 }, anotherWorker);
    for (let round = 0; round < 4; round += 1) {
      for (let each = 0; each < 10; each += 1) {
        void fake.fault(kinds[random(kinds.length)] as StripeFault, {
          method: random(4) === 0 ? 'GET' : 'POST',
        });
      }
      await Promise.all(workers.map((deliver) => deliver()));
      service.clock.advance(DAY_MS);
    }
    fake.mend();
    await passDays(4);
    await expectDeliveredOnce();
  });

  test.each([
    ['before Stripe has it', 'silence_before'],
    ['after Stripe has it', 'silence_after'],
  ] as const)('a worker that is killed in the middle of a call, %s', async (_, fault) => {
    const reached = Promise.all([
      fake.fault(fault, { path: /balance_transactions/ }),
      fake.fault(fault, { path: /subscriptions/ }),
      fake.fault(fault, { path: /coupons/ }),
    ]);
    const { port } = fake.reach;
    const now = String(service.clock.nowMs());
    const child = spawn(
      process.execPath,
      [CHILD, copy.url, String(port), ROOT_KEY.toString('hex'), now],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    );
    children.push(child);
    await reached;
    const died = once(child, 'exit');
    child.kill('SIGKILL');
    await died;
    const { data } = (await shop.read('/v1/rewards', { fulfillmentStatus: 'in_progress' })).body;
    expect(data.length).toBeGreaterThan(2);
    // Until its lease is over, what it was at is nobody else's.
    await service.deliverRewards();
    const open = (await shop.read('/v1/rewards', { fulfillmentStatus: 'in_progress' })).body;
    expect(open.data.length).toBeGreaterThan(2);
    service.clock.advance(LEASE_MS);
    await service.deliverRewards();
    await passDays(2);
    await expectDeliveredOnce();
  });

  test('voids that meet deliveries leave nothing at Stripe', async () => {
    await Promise.all([
      anotherWorker()(),
      anotherWorker()(),
      ...rewardIds.map((id) => shop.voidReward(id)),
    ]);
    await passDays(4);
    for (const { balance } of account.customers.values()) expect(balance).toBe(0);
    expect([...account.subscriptions.values()].flatMap(({ discounts }) => discounts)).toEqual([]);
    const { data } = (await shop.read('/v1/rewards', { limit: '100' })).body;
    for (const one of data) expect(['cancelled', 'revoked']).toContain(one.fulfillmentStatus);
    expect((await verifyProject(service.database, shop.project.projectId)).kept).toEqual([]);
  });
});
