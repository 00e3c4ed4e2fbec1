import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type DeliveryOutcome,
  TRIES_MAX,
} from '../../src/domain/rewards/delivery/decide-delivery.ts';
import { makeDeliverRewards } from '../../src/domain/rewards/delivery/deliver-rewards.ts';
import {
  makePrepareHandler,
  settleHandler,
} from '../../src/domain/rewards/delivery/delivery-handlers.ts';
import { claimDeliveries } from '../../src/domain/rewards/delivery/delivery-store.ts';
import { LEASE_MS, type RewardOrder } from '../../src/domain/rewards/delivery/provider.ts';
import { reportDeliveries } from '../../src/domain/rewards/delivery/report-deliveries.ts';
import { startRewardWorker } from '../../src/domain/rewards/delivery/worker.ts';
import { ownRequest } from '../../src/platform/http/access/principal.ts';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/kit/instant.ts';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
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
    const choose = (creditMethod: string) =>
      service.call('PUT', path, { as: key, body: { projectId, creditMethod } });
    // What was chosen while it was connected stays, and can be sent back (D-RWD-10).
    expect(await choose('stripe_balance')).toMatchObject({ status: 200 });
    expect((await shop.read(path)).body.data.creditMethod).toBe('stripe_balance');
    await choose('manual');
    expect(await choose('stripe_balance')).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'creditMethod' }] } },
    });
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
    ['lands_later', 'in_progress', 'provider_pending', ['find 1', 'deliver 1']],
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

  test.each(['throttled', 'rejected', 'locked_out'] as const)(
    'a first call that lands late, a second one that is %s: it is done once',
    async (second) => {
      const id = await shop.earn('credit', 'o1');
      balance.fault('lands_later');
      await service.deliverRewards();
      service.clock.advance(MINUTE_MS);
      // The question is answered, what is sent then is not carried out.
      const answering = new Proxy(balance, {
        get(target, name) {
          if (name === 'deliver') balance.fault(second);
          const value = Reflect.get(target, name, target);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
      await makeDeliverRewards(
        { ...service.rewardDeps, providers: [answering] },
        () => undefined,
      )();
      expect(balance.calls).toEqual(
        ['deliver', 'find', 'deliver'].map((call) => `${call} ${id}_1`),
      );
      balance.land();
      for (let day = 0; day < 3; day += 1) await passTime();
      expect(balance.has(id)).toBe(CREDIT_MINOR);
      expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'fulfilled' });
      await expectSound();
    },
  );

  test('a key that was revoked fails nothing: what waits goes out once there is another', async () => {
    const [sent, asked] = [await shop.earn('credit', 'o1'), await shop.earn('credit', 'o2')];
    balance.fault('locked_out', 'lost_order', ...Array(60).fill('locked_out'));
    await service.deliverRewards();
    for (let hour = 0; hour < 2 * TRIES_MAX; hour += 1) await passTime(HOUR_MS);
    const states = await Promise.all([sent, asked].map((id) => shop.reward(id)));
    expect(states.map(({ fulfillmentStatus }) => fulfillmentStatus).sort()).toEqual([
      'in_progress',
      'pending',
    ]);
    expect(states.map(({ delivery }) => delivery.reason).sort()).toEqual([
      'provider_error',
      'provider_pending',
    ]);
    for (let hour = 0; hour < 2 * TRIES_MAX; hour += 1) await passTime(HOUR_MS);
    for (const id of [sent, asked]) {
      expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'fulfilled' });
      expect(balance.has(id)).toBe(CREDIT_MINOR);
    }
    await expectSound();
  });

  test('why is in the log, whether the provider said it or broke', async () => {
    const { credit, discount = '' } = await shop.buy('o1');
    service.log.length = 0;
    balance.fault('rejected');
    coupons.fault('lost_order');
    await service.deliverRewards();
    const log = service.log.join('\n');
    expect(log).toContain(`Delivery ${credit}_1 (grant): No such customer.`);
    expect(log).toContain('socket hang up');
    expect(await shop.reward(discount)).toMatchObject({ fulfillmentStatus: 'in_progress' });
  });

  test('a correction that goes wrong is tried again, and the Reward stays fulfilled', async () => {
    const id = await shop.earn('credit', 'o1');
    await service.deliverRewards();
    await shop.adjust('refund', 'o1', '400');
    balance.fault('throttled', 'rejected', 'lost_answer');
    await service.deliverRewards();
    expect(await shop.reward(id)).toMatchObject({
      fulfillmentStatus: 'fulfilled',
      delivery: { status: 'delivered', reason: 'provider_error' },
    });
    for (let day = 0; day < 4; day += 1) await passTime();
    expect(balance.has(id)).toBe(300n);
    expect(await shop.reward(id)).toMatchObject({
      fulfillmentStatus: 'fulfilled',
      delivery: { status: 'delivered', reason: null },
    });
    await expectSound();
  });
});

test('of many that wait for one account, some are woken at a time, and in the end all', async () => {
  const [{ participantId = '' } = {}] = await service.database.reads.query<{
    participantId: string;
  }>(
    `select id as "participantId" from participants where project_id = $1 and external_id = 'ada'`,
    [shop.project.projectId],
  );
  await service.database.transaction((tx) =>
    tx.query(
      `insert into reward_deliveries (project_id, reward_id, participant_id, method, attempt,
         tries, due_at, waits_for_account, is_answered)
       select $1, 'rwd_' || n, $2, 'stripe_balance', 1, 0, null, true, false
       from generate_series(1, 1200) as n`,
      [shop.project.projectId, participantId],
    ),
  );
  const countWaiting = async () =>
    (
      await service.database.reads.query(
        'select 1 from reward_deliveries where project_id = $1 and waits_for_account',
        [shop.project.projectId],
      )
    ).length;
  await shop.bill('cus_ada');
  expect(await countWaiting()).toBe(700);
  await service.deliverRewards();
  expect(await countWaiting()).toBe(0);
});

describe('the worker', () => {
  test('lets no Project wait for another, and begins nothing more once it is to stop', async () => {
    const slowly = shop.project.projectId;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const arrived: string[] = [];
    let tell = () => {};
    const slow = new Proxy(balance, {
      get(target, name) {
        if (name === 'deliver') {
          return async (order: RewardOrder) => {
            arrived.push(order.rewardId);
            tell();
            if (order.projectId === slowly) await held;
            return target.deliver(order);
          };
        }
        const value = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const hasArrived = async (id: string) => {
      while (!arrived.includes(id)) {
        await new Promise<void>((resolve) => {
          tell = resolve;
        });
      }
    };
    const other = await openRewardShop(service, connect);
    for (const each of [shop, other]) await each.bill('cus_ada');
    const first = await shop.earn('credit', 'o1');
    const worker = startRewardWorker({
      ...service.rewardDeps,
      providers: [slow],
      onFailure: (error) => {
        throw error;
      },
    });
    await hasArrived(first);
    for (const order of ['x1', 'x2']) await hasArrived(await other.earn('credit', order));
    const second = await shop.earn('credit', 'o2');
    const stopped = worker.stop();
    release();
    await stopped;
    expect(await shop.reward(first)).toMatchObject({ fulfillmentStatus: 'fulfilled' });
    expect(await shop.reward(second)).toMatchObject({ fulfillmentStatus: 'pending' });
    expect(arrived).not.toContain(second);
  });
});

describe('asking the providers what they have', () => {
  test('ends after a while: what was not answered by then is unanswered', async () => {
    await shop.bill('cus_ada');
    const id = await shop.earn('credit', 'o1');
    await service.deliverRewards();
    const { projectId } = shop.project;
    const { reads } = service.database;
    const report = (deadline: AbortSignal, balanceReport = balance.report.bind(balance)) => {
      const asked = new Proxy(balance, {
        get: (target, name) =>
          name === 'report' ? balanceReport : Reflect.get(target, name, target),
      });
      const page = { after: null, limit: 10, deadline };
      return reportDeliveries({ reads, providers: [asked] }, projectId, page);
    };
    const of = async (report: ReturnType<typeof reportDeliveries>) =>
      (await report).deliveries.find(({ rewardId }) => rewardId === id)?.reported;
    const { signal } = new AbortController();
    expect(await of(report(signal))).toBe(CREDIT_MINOR);
    expect(await of(report(AbortSignal.abort()))).toBeNull();
    const deadline = new AbortController();
    const never = () => {
      deadline.abort();
      return new Promise<never>(() => undefined);
    };
    expect(await of(report(deadline.signal, never))).toBeNull();
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

  test('what ends without a call is forgotten, too', async () => {
    await shop.bill('cus_no_call');
    const id = await shop.earn('credit', 'o1');
    await service.deliverRewards();
    await shop.adjust('refund', 'o1', '1000');
    await service.deliverRewards();
    await shop.voidReward(id);
    await erase();
    await service.deliverRewards();
    expect(await shop.reward(id)).toMatchObject({ fulfillmentStatus: 'revoked' });
    expect(await readDatabase(service)).not.toContain('cus_no_call');
    await expectSound();
  });

  test('what the provider refuses to take back is not tried for ever', async () => {
    await shop.bill('cus_refused');
    const id = await shop.earn('credit', 'o1');
    await service.deliverRewards();
    await shop.voidReward(id);
    await erase();
    balance.fault('rejected');
    await service.deliverRewards();
    expect(await shop.reward(id)).toMatchObject({
      fulfillmentStatus: 'revocation_pending',
      delivery: { reason: 'provider_rejected' },
    });
    expect(await readDatabase(service)).not.toContain('cus_refused');
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
