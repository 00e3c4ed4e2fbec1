import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ownRequest } from '../../src/http/principal.ts';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kit/instant.ts';
import { type DeliveryOutcome, TRIES_MAX } from '../../src/rewards/decide-delivery.ts';
import { makeDeliverRewards } from '../../src/rewards/deliver-rewards.ts';
import { LEASE_MS } from '../../src/rewards/delivery-deps.ts';
import { claimDeliveries } from '../../src/rewards/delivery-store.ts';
import { makePrepareHandler } from '../../src/rewards/prepare-deliveries.ts';
import { settleHandler } from '../../src/rewards/settle-deliveries.ts';
import { verifyProject } from '../../src/verify/verify-project.ts';
import { startService, type TestService } from '../harness.ts';
import { MemoryRewards } from '../memory-rewards.ts';
import { readDatabase } from '../read-database.ts';
import { CREDIT_MINOR, openRewardShop, type RewardShop } from '../reward-shop.ts';

const balance = new MemoryRewards('stripe_balance');
const coupons = new MemoryRewards('stripe_coupon');
let service: TestService;
let shop: RewardShop;

function connect(projectId: string): void {
  balance.connected.add(projectId);
  coupons.connected.add(projectId);
}

beforeAll(async () => {
  service = await startService({ rewardProviders: [balance, coupons] });
});
afterAll(() => service.close());
beforeEach(async () => {
  // What other tests left is not to be delivered here.
  balance.connected.clear();
  coupons.connected.clear();
  shop = await openRewardShop(service, connect);
  balance.calls.length = 0;
  coupons.calls.length = 0;
});

/** So long that whatever waits is due, and every lease is over. */
async function passTime(ms = DAY_MS): Promise<void> {
  service.clock.advance(ms);
  await service.deliverRewards();
}

async function expectSound(): Promise<void> {
  const { kept } = await verifyProject(service.database, shop.project.projectId);
  expect(kept).toEqual([]);
}

describe('a Reward that the service delivers', () => {
  test.each([
    ['credit', 'stripe_balance', balance, CREDIT_MINOR],
    ['discount', 'stripe_coupon', coupons, 1n],
  ] as const)('%s goes out by %s, and the feed tells', async (kind, method, provider, amount) => {
    await shop.bill('cus_ada');
    const id = await shop.earn(kind, 'o1');
    expect(await shop.reward(id)).toMatchObject({
      fulfillmentStatus: 'pending',
      delivery: { method, status: 'pending', reason: 'provider_pending', providerReference: null },
    });
    await service.deliverRewards();
    expect(provider.has(id, 'cus_ada')).toBe(amount);
    const delivered = {
      fulfillmentStatus: 'fulfilled',
      delivery: { method, status: 'delivered', reason: null, providerReference: `mem_${id}_1` },
      fulfillment: { externalReference: `mem_${id}_1`, actor: 'service' },
    };
    expect(await shop.reward(id)).toMatchObject(delivered);
    expect(await shop.newsOf(id)).toEqual(['reward.earned', 'reward.fulfilled']);
    expect((await shop.feed()).at(-1)?.data.reward).toMatchObject(
      kind === 'credit' ? {} : delivered,
    );
    await passTime();
    expect(provider.calls.filter((call) => call.includes(id))).toEqual([`deliver ${id}_1`]);
    await expectSound();
  });

  test('a hold, an account, a connection: it waits for each and says so', async () => {
    await shop.setDelivery({ holdDays: 7 });
    balance.connected.delete(shop.project.projectId);
    const id = await shop.earn('credit', 'o1');
    const delivery = async () => (await shop.reward(id)).delivery;
    await service.deliverRewards();
    expect(await delivery()).toMatchObject({ status: 'on_hold', reason: 'hold_period' });
    await passTime(7 * DAY_MS - 1);
    expect(await delivery()).toMatchObject({ status: 'on_hold', reason: 'hold_period' });
    await passTime(1);
    expect(await delivery()).toMatchObject({ status: 'pending', reason: 'provider_pending' });
    connect(shop.project.projectId);
    await service.deliverRewards();
    expect(await delivery()).toMatchObject({
      status: 'pending',
      reason: 'awaiting_billing_account',
    });
    expect(balance.calls).toEqual([]);
    await shop.bill('cus_ada');
    expect(await delivery()).toMatchObject({ status: 'pending', reason: 'provider_pending' });
    await service.deliverRewards();
    expect(await delivery()).toMatchObject({ status: 'delivered', reason: null });
    expect(balance.has(id, 'cus_ada')).toBe(CREDIT_MINOR);
    await expectSound();
  });

  test('what waits for an account is not looked at again until there is one', async () => {
    for (const order of ['o1', 'o2', 'o3']) await shop.earn('credit', order);
    await service.deliverRewards();
    const deliver = makeDeliverRewards(service.rewardDeps, (error) => {
      throw error;
    });
    service.clock.advance(DAY_MS);
    expect(await deliver()).toBe(0);
    await shop.bill('cus_ada');
    // Taking the account away again before anybody looked leaves it waiting.
    await shop.bill(null);
    expect(await deliver()).toBeGreaterThan(0);
    expect(balance.calls).toEqual([]);
    expect(await deliver()).toBe(0);
    await shop.bill('cus_ada');
    await service.deliverRewards();
    expect(balance.calls).toHaveLength(3);
  });

  test('a sandbox’s clock ends holds', async () => {
    await shop.bill('cus_ada');
    await shop.setDelivery({ holdDays: 30 });
    const id = await shop.earn('credit', 'o1');
    const { projectId, key } = shop.project;
    const ahead = new Date(service.clock.nowMs() + 31 * DAY_MS).toISOString();
    const moved = await service.call('PUT', `/v1/projects/${projectId}/clock`, {
      as: key,
      body: { projectId, now: ahead },
    });
    expect(moved.status).toBe(200);
    await service.deliverRewards();
    expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'fulfilled' });
  });

  test('methods are offered, and taken, only where the Project is connected', async () => {
    const path = `/v1/programs/${shop.programId}/delivery-settings`;
    const options = async () => (await shop.read(path)).body.data.options;
    expect(await options()).toMatchObject({
      credit: ['operator', 'manual', 'stripe_balance'],
      discount: ['operator', 'manual', 'stripe_coupon'],
    });
    const { projectId, key } = shop.project;
    balance.connected.delete(projectId);
    expect((await options()).credit).toEqual(['operator', 'manual']);
    const refused = await service.call('PUT', path, {
      as: key,
      body: { projectId, creditMethod: 'stripe_balance' },
    });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'creditMethod' }] } },
    });
    // What was chosen while it was connected stays, and can be sent back but for that.
    expect((await shop.read(path)).body.data.creditMethod).toBe('stripe_balance');
  });

  test('neither the product nor a webhook can record what the service delivers', async () => {
    await shop.bill('cus_ada');
    const id = await shop.earn('credit', 'o1');
    for (const what of ['fulfillment', 'revocation']) {
      const { status, body } = await shop.post(`/v1/rewards/${id}/${what}`, {
        externalReference: 'x',
      });
      expect([status, body.error.code]).toEqual([400, 'UNSUPPORTED_DELIVERY_METHOD']);
    }
  });
});

describe('when a call goes wrong', () => {
  beforeEach(() => shop.bill('cus_ada'));

  test.each([
    ['lost_order', 'in_progress', 'provider_pending', ['find 1', 'deliver 1']],
    ['lost_answer', 'in_progress', 'provider_pending', ['find 1']],
    ['broken', 'in_progress', 'provider_pending', ['find 1', 'deliver 2']],
    ['broken_after', 'in_progress', 'provider_pending', ['find 1']],
    ['throttled', 'pending', 'provider_error', ['deliver 2']],
  ] as const)('%s: it is %s (%s), and delivered once', async (fault, status, reason, then) => {
    const id = await shop.earn('credit', 'o1');
    balance.fault(fault);
    await service.deliverRewards();
    expect(await shop.reward(id)).toMatchObject({
      fulfillmentStatus: status,
      delivery: { reason },
    });
    await passTime(MINUTE_MS - 1);
    expect(balance.calls).toHaveLength(1);
    await passTime(1);
    await passTime();
    expect(balance.calls).toEqual(
      ['deliver 1', ...then].map((call) => call.replace(' ', ` ${id}_`)),
    );
    expect(balance.has(id)).toBe(CREDIT_MINOR);
    expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'fulfilled' });
    expect(await shop.newsOf(id)).toEqual(['reward.earned', 'reward.fulfilled']);
    await expectSound();
  });

  test('of an unknown outcome it is asked, for as long as nobody can say, and never sent again', async () => {
    const id = await shop.earn('credit', 'o1');
    balance.fault('lost_answer', ...Array.from({ length: 20 }, () => 'cannot_say' as const));
    await service.deliverRewards();
    for (let round = 0; round < 20; round += 1) await passTime(HOUR_MS);
    expect(await shop.reward(id)).toMatchObject({
      fulfillmentStatus: 'in_progress',
      delivery: { status: 'processing', reason: 'provider_pending' },
    });
    await passTime(HOUR_MS);
    expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'fulfilled' });
    expect(balance.calls.filter((call) => call.startsWith('deliver'))).toHaveLength(1);
  });

  test(`after ${TRIES_MAX} tries it has failed; a retry delivers it (D-RWD-3)`, async () => {
    const id = await shop.earn('discount', 'o1');
    coupons.fault(...Array.from({ length: TRIES_MAX }, () => 'throttled' as const));
    await service.deliverRewards();
    for (let round = 1; round < TRIES_MAX; round += 1) await passTime(HOUR_MS);
    expect(await shop.reward(id)).toMatchObject({
      fulfillmentStatus: 'failed',
      delivery: { status: 'failed', reason: 'provider_error' },
    });
    await passTime();
    expect(coupons.calls).toHaveLength(TRIES_MAX);
    expect(await shop.post(`/v1/rewards/${id}/retry`)).toMatchObject({
      status: 200,
      body: { fulfillmentStatus: 'pending', delivery: { reason: 'provider_pending' } },
    });
    await service.deliverRewards();
    expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'fulfilled' });
    expect(coupons.calls.at(-1)).toBe(`deliver ${id}_${TRIES_MAX + 1}`);
    await expectSound();
  });

  test('what the provider rejects has failed at once, until somebody mends it', async () => {
    const id = await shop.earn('credit', 'o1');
    balance.fault('rejected');
    await service.deliverRewards();
    await passTime();
    expect(await shop.reward(id)).toMatchObject({
      fulfillmentStatus: 'failed',
      delivery: { status: 'failed', reason: 'provider_rejected' },
    });
    await shop.bill('cus_new');
    await shop.post(`/v1/rewards/${id}/retry`);
    await service.deliverRewards();
    expect(balance.has(id, 'cus_new')).toBe(CREDIT_MINOR);
    expect(balance.calls).toHaveLength(2);
  });

  test('a correction that goes wrong is tried again, and the Reward stays fulfilled', async () => {
    const id = await shop.earn('credit', 'o1');
    await service.deliverRewards();
    await shop.adjust('refund', 'o1', '400');
    balance.fault('throttled', 'rejected', 'lost_answer');
    await service.deliverRewards();
    for (let day = 0; day < 4; day += 1) await passTime();
    expect(balance.has(id)).toBe(300n);
    expect(await shop.reward(id)).toMatchObject({
      fulfillmentStatus: 'fulfilled',
      delivery: { status: 'delivered', reason: null },
    });
    await expectSound();
  });
});

describe('when a lease has gone to somebody else', () => {
  beforeEach(() => shop.bill('cus_ada'));

  const tell = (rewardId: string, leaseId: string, outcome: DeliveryOutcome) =>
    service.writer.submit(settleHandler, ownRequest(shop.project.projectId, 'test', 'req_test'), {
      rewardId,
      leaseId,
      attempt: 1,
      outcome,
    });

  test('that nothing was done is not believed, and that it was done is', async () => {
    const id = await shop.earn('credit', 'o1');
    balance.fault('lost_answer');
    await service.deliverRewards();
    for (const state of ['retry', 'refused', 'none'] as const) {
      expect(await tell(id, 'another', { state })).toBeNull();
      expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'in_progress' });
    }
    const delivered = { state: 'delivered', reference: `mem_${id}_1` } as const;
    await tell(id, 'another', delivered);
    expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'fulfilled' });
    // Late, and once more: it is known already.
    await tell(id, 'another', delivered);
    await tell(id, 'another', { state: 'unknown', isAnswered: false });
    await passTime();
    expect(await shop.newsOf(id)).toEqual(['reward.earned', 'reward.fulfilled']);
    expect(balance.has(id)).toBe(CREDIT_MINOR);
    await expectSound();
  });

  test('what is told of an earlier attempt says nothing of the one under way', async () => {
    const id = await shop.earn('credit', 'o1');
    balance.fault('throttled', 'lost_order');
    await service.deliverRewards();
    await passTime(MINUTE_MS);
    expect(balance.calls.at(-1)).toBe(`deliver ${id}_2`);
    await tell(id, 'another', { state: 'delivered', reference: 'stray' });
    expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'in_progress' });
    await passTime();
    expect(balance.has(id)).toBe(CREDIT_MINOR);
    await expectSound();
  });

  test('what another has leased is neither claimed nor prepared', async () => {
    const id = await shop.earn('credit', 'o1');
    const { database, rewardDeps, clock, writer } = service;
    const { projectId } = shop.project;
    const lease = {
      methods: ['stripe_balance'] as const,
      dueBy: clock.now,
      now: clock.now,
      leasedUntil: addMs(clock.now, LEASE_MS),
      limit: 10,
    };
    const claim = (leaseId: string) =>
      database.transaction((tx) => claimDeliveries(tx, projectId, { ...lease, leaseId }));
    expect(await claim('first')).toMatchObject([{ rewardId: id, leaseId: 'first' }]);
    expect(await claim('second')).toEqual([]);
    const prepare = (leaseId: string) =>
      writer.submit(
        makePrepareHandler(rewardDeps.providers),
        ownRequest(projectId, 'test', 'req_test'),
        { rewardId: id, leaseId },
      );
    expect(await prepare('second')).toBeNull();
    expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'pending' });
    expect(await prepare('first')).toMatchObject({ delivery: { intent: { step: 'grant' } } });
    // The same again, as after a commit that nobody heard of.
    expect(await prepare('first')).toMatchObject({ delivery: { attempt: 1 } });
    await passTime(LEASE_MS);
    expect(balance.has(id)).toBe(CREDIT_MINOR);
  });

  test('whoever comes too late sends nothing', async () => {
    const id = await shop.earn('credit', 'o1');
    const slow = new Proxy(balance, {
      get(target, name) {
        // Asked while the intent is written down, which takes this one as long as its lease lasts.
        if (name === 'carriable') {
          return (amountMinor: bigint) => {
            service.clock.advance(LEASE_MS);
            return amountMinor;
          };
        }
        const value = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    await makeDeliverRewards({ ...service.rewardDeps, providers: [slow] }, (error) => {
      throw error;
    })();
    expect(balance.calls).toEqual([]);
    expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'in_progress' });
    await service.deliverRewards();
    expect(balance.calls).toEqual([`find ${id}_1`, `deliver ${id}_1`]);
    expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'fulfilled' });
  });
});

describe('when somebody is erased (D-PART-5)', () => {
  const erase = async () => {
    const { projectId, key } = shop.project;
    const { body } = await shop.read('/v1/participants', { externalId: 'ada' });
    const { status } = await service.call('DELETE', `/v1/participants/${body.data[0].id}`, {
      as: key,
      query: { projectId, force: true },
    });
    expect(status).toBe(200);
  };

  test('where their Rewards went is forgotten', async () => {
    await shop.bill('cus_forgotten');
    await shop.earn('credit', 'o1');
    await service.deliverRewards();
    await erase();
    expect(await readDatabase(service)).not.toContain('cus_forgotten');
    await expectSound();
  });

  test('what was on its way is taken back first, and then forgotten', async () => {
    await shop.bill('cus_on_the_way');
    const id = await shop.earn('credit', 'o1');
    balance.fault('lost_answer');
    await service.deliverRewards();
    await erase();
    expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'in_progress' });
    await passTime();
    expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'revoked' });
    expect(balance.has(id)).toBe(0n);
    expect(await readDatabase(service)).not.toContain('cus_on_the_way');
    await expectSound();
  });
});
