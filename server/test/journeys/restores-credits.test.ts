import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../src/platform/kit/instant.ts';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { loadBackup, takeBackup } from '../backup-rows.ts';
import { findDamage } from '../damage.ts';
import { type Answer, startService, TestClock, type TestService } from '../harness.ts';
import { openRewardShop, type RewardShop } from '../reward-shop.ts';
import type { FeedEvent } from '../shop.ts';
import type { FakeAccount } from '../stripe/account.ts';
import { type FakeStripe, startFakeStripe } from '../stripe/fake-stripe.ts';

const clock = new TestClock();
let fake: FakeStripe;
let services: [TestService, TestService];
let account: FakeAccount;
let shop: RewardShop;
let path: string;
let shops = 0;
beforeAll(async () => {
  fake = await startFakeStripe({ nowMs: () => clock.nowMs() });
  services = [
    await startService({ clock, stripeReach: fake.reach }),
    await startService({ clock, stripeReach: fake.reach }),
  ];
});
afterAll(async () => {
  for (const service of services) await service.close();
  await fake.close();
});
beforeEach(async () => {
  fake.mend();
  shops += 1;
  const restrictedKey = `rk_test_${String(shops).padStart(20, 'b')}`;
  account = fake.account(restrictedKey);
  shop = await openRewardShop(
    services[0],
    async (projectId) => {
      const { status } = await services[0].call('POST', '/v1/integrations/stripe/connections', {
        as: 'operator',
        body: { projectId, restrictedKey },
      });
      expect(status).toBe(200);
    },
    ['credit'],
  );
  path = `/v1/workspaces/${shop.project.workspaceId}/restores`;
  account.addCustomer({ id: 'cus_ada' });
  await shop.bill('cus_ada');
});

/** In ada's favour, in cents. */
const credited = () => 0 - (account.customers.get('cus_ada')?.balance ?? 0);

const operate = async (method: 'GET' | 'POST', url: string, body?: object) =>
  services[1].call(method, url, { as: 'operator', ...(body ? { body } : {}) });

async function restore(backup: Awaited<ReturnType<typeof takeBackup>>, since: string) {
  await loadBackup(services[1].database, backup);
  const { status } = await operate('POST', path, { since });
  expect(status).toBe(200);
}

async function release() {
  const { body } = await operate('GET', path);
  return operate('POST', `${path}/${body.data[0].id}/release`, {});
}

/** The backend sends a purchase to the restored store. */
async function buyAgain(order: string): Promise<void> {
  const { projectId, key } = shop.project;
  const { sourceNamespaceId } = shop;
  const participant = { kind: 'individual', externalId: 'bob' };
  const purchase = { amountMinor: '1000', currency: 'USD' };
  const fact = { type: 'purchase', participant, sourceEventId: order, purchase };
  const body = { projectId, sourceNamespaceId, ...fact };
  expect((await services[1].call('POST', '/v1/track/events', { as: key, body })).status).toBe(200);
}

/** What was done to a reward, or to ada, is done again to the restored store. */
async function repeat(method: 'PUT' | 'POST', url: string, body: object): Promise<Answer> {
  const { projectId, key } = shop.project;
  const answer = await services[1].call(method, url, { as: key, body: { projectId, ...body } });
  expect(answer.status).toBe(200);
  return answer;
}
const ADA = { participant: { kind: 'individual', externalId: 'ada' } };
const moveAda = () => repeat('PUT', '/v1/participants', { ...ADA, billingId: 'cus_b' });
async function eraseAda(): Promise<void> {
  const { projectId, key } = shop.project;
  const query = { projectId, ...ADA.participant };
  const { body } = await services[1].call('GET', '/v1/participants', { as: key, query });
  const path = `/v1/participants/${body.data[0].id}`;
  const options = { as: key, query: { projectId, force: 'true' } };
  expect((await services[1].call('DELETE', path, options)).status).toBe(200);
}
/** How many advances an account has, how often it counts as asked, and how many deliveries name it. */
async function rowsWith(accountId: string): Promise<number[]> {
  const counts = ['reward_advances', 'reward_advance_accounts', 'reward_deliveries'].map((table) =>
    services[1].database.reads.query<{ count: number }>(
      `select count(*)::integer as count from ${table} where project_id = $1 and account = $2`,
      [shop.project.projectId, accountId],
    ),
  );
  return (await Promise.all(counts)).map(([row]) => row?.count ?? 0);
}
const voidAgain = (rewardId: string) =>
  repeat('POST', `/v1/rewards/${rewardId}/void`, { reasonCode: 'fraud' });

async function statusOf(rewardId: string): Promise<string> {
  const query = { projectId: shop.project.projectId };
  const as = shop.project.key;
  return (await services[1].call('GET', `/v1/rewards/${rewardId}`, { as, query })).body
    .fulfillmentStatus;
}

/** That it was granted and revoked, and how the feed shows it then. */
async function newsOf(rewardId: string): Promise<string[][]> {
  const { projectId, key } = shop.project;
  const query = { projectId, limit: '500' };
  const { body } = await services[1].call('GET', '/v1/webhook-events', { as: key, query });
  return (body.events as FeedEvent[])
    .filter(({ type, data }) => /fulfilled|revoked/.test(type) && data.reward.id === rewardId)
    .map(({ type, data }) => [type, data.reward.fulfillmentStatus]);
}

async function expectVerified(): Promise<void> {
  const { kept } = await verifyProject(services[1].database, shop.project.projectId);
  expect(kept).toEqual([]);
  const { body } = await services[1].call('GET', '/v1/reconciliation', {
    as: shop.project.key,
    query: { projectId: shop.project.projectId },
  });
  expect(body.data.filter(({ verdict }: { verdict: string }) => verdict !== 'even')).toEqual([]);
}

test('a credit of a reward that the backup has is adopted before the release, and not given again', async () => {
  const since = clock.now;
  const rewardId = await shop.earn('credit', '1');
  const backup = await takeBackup(services[0].database);
  await services[0].deliverRewards();
  expect(credited()).toBe(500);
  clock.advance(48 * HOUR_MS);
  await restore(backup, since);
  await services[1].deliverRewards();
  expect(credited()).toBe(500);
  await services[1].askRestores();
  const query = { projectId: shop.project.projectId };
  const { body } = await services[1].call('GET', `/v1/rewards/${rewardId}`, {
    as: shop.project.key,
    query,
  });
  expect(body).toMatchObject({ fulfillmentStatus: 'fulfilled' });
  expect((await release()).status).toBe(200);
  await services[1].deliverRewards();
  expect(credited()).toBe(500);
  await expectVerified();
});

test('a credit of a reward that comes again under another id counts, whenever its fact comes', async () => {
  const since = clock.now;
  const backup = await takeBackup(services[0].database);
  await shop.earn('credit', '1');
  await shop.earn('credit', '2');
  await services[0].deliverRewards();
  expect(credited()).toBe(1_000);
  clock.advance(48 * HOUR_MS);
  await restore(backup, since);
  await buyAgain('1');
  await services[1].askRestores();
  const { body } = await operate('GET', path);
  expect(body.data[0]).toMatchObject({
    checks: [{ method: 'stripe_balance', status: 'asked', adopted: 2 }],
    credits: [{ currency: 'USD', count: 2, amountMinor: '1000', leftMinor: '1000' }],
  });
  expect((await release()).status).toBe(200);
  await services[1].deliverRewards();
  await buyAgain('2');
  await services[1].deliverRewards();
  expect(credited()).toBe(1_000);
  await buyAgain('3');
  await services[1].deliverRewards();
  expect(credited()).toBe(1_500);
  await expectVerified();
  const { projectId } = shop.project;
  const damage = 'update reward_advances set left_minor = 1 where project_id = $1 returning 1';
  const found = await findDamage(services[1].database, projectId, damage);
  expect(found).toMatchObject([{ subject: 'advance', field: 'left_minor', expected: '0' }]);
});

test('an account that nobody asked about is asked before it is credited; as long as it does not answer it waits', async () => {
  const since = clock.now;
  const backup = await takeBackup(services[0].database);
  await shop.earn('credit', '1');
  await services[0].deliverRewards();
  clock.advance(48 * HOUR_MS);
  await restore(backup, since);
  await services[1].askRestores();
  expect((await release()).status).toBe(200);
  await buyAgain('1');
  void fake.fault('throttled', { method: 'GET', path: /balance_transactions/ });
  await services[1].deliverRewards();
  expect(credited()).toBe(500);
  clock.advance(HOUR_MS);
  await services[1].deliverRewards();
  expect(credited()).toBe(500);
  const { body } = await operate('GET', path);
  expect(body.data[0].credits).toMatchObject([{ amountMinor: '500', leftMinor: '0' }]);
  await expectVerified();
});

describe('a credit that was voided and taken back after the backup', () => {
  test.each([
    ['has another account', moveAda, [0, 1, 1]],
    ['was erased', eraseAda, [0, 0, 0]],
  ])('is not taken back again from somebody who %s since the restore', async (_, change, kept) => {
    const since = clock.now;
    const rewardId = await shop.earn('credit', '1');
    await services[0].deliverRewards();
    const backup = await takeBackup(services[0].database);
    await shop.voidReward(rewardId);
    await services[0].deliverRewards();
    expect(credited()).toBe(0);
    clock.advance(48 * HOUR_MS);
    fake.forgetKeys();
    await restore(backup, since);
    await voidAgain(rewardId);
    await change();
    await services[1].askRestores();
    expect((await release()).status).toBe(200);
    await services[1].deliverRewards();
    expect(credited()).toBe(0);
    expect(await statusOf(rewardId)).toBe('revoked');
    expect(await rowsWith('cus_ada')).toEqual(kept);
    await expectVerified();
  });
});

test.each(['before', 'after'])(
  'an order that was open for days before the backup is settled before what was taken back of it; its reward is voided again %s the release',
  async (voided) => {
    const rewardId = await shop.earn('credit', '1');
    void fake.fault('silence_after');
    await services[0].deliverRewards();
    expect(await shop.reward(rewardId)).toMatchObject({ fulfillmentStatus: 'in_progress' });
    clock.advance(96 * HOUR_MS);
    const since = clock.now;
    const backup = await takeBackup(services[0].database);
    await services[0].deliverRewards();
    await shop.voidReward(rewardId);
    await services[0].deliverRewards();
    expect(credited()).toBe(0);
    clock.advance(48 * HOUR_MS);
    fake.forgetKeys();
    await restore(backup, since);
    if (voided === 'before') await voidAgain(rewardId);
    await services[1].askRestores();
    expect((await release()).status).toBe(200);
    if (voided === 'after') await voidAgain(rewardId);
    await services[1].deliverRewards();
    expect(credited()).toBe(0);
    expect(await statusOf(rewardId)).toBe('revoked');
    const then = voided === 'before' ? 'revocation_pending' : 'fulfilled';
    expect(await newsOf(rewardId)).toEqual([
      ['reward.fulfilled', then],
      ['reward.revoked', 'revoked'],
    ]);
    await expectVerified();
  },
);

test('of an account that somebody erased had, no advance is kept', async () => {
  const since = clock.now;
  const rewardId = await shop.earn('credit', '1');
  await services[0].deliverRewards();
  const backup = await takeBackup(services[0].database);
  await shop.earn('credit', '2');
  await services[0].deliverRewards();
  clock.advance(48 * HOUR_MS);
  await restore(backup, since);
  await voidAgain(rewardId);
  await moveAda();
  await services[1].askRestores();
  expect(await rowsWith('cus_ada')).toEqual([1, 1, 1]);
  await eraseAda();
  expect((await release()).status).toBe(200);
  await services[1].deliverRewards();
  expect(credited()).toBe(500);
  expect(await statusOf(rewardId)).toBe('revoked');
  expect(await rowsWith('cus_ada')).toEqual([0, 0, 0]);
  await expectVerified();
});
