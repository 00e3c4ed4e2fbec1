import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { finishReviews } from '../../src/domain/tracking/reviews/worker.ts';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { findDamage } from '../damage.ts';
import { startService, type TestService } from '../harness.ts';
import { MemoryRewards } from '../memory-rewards.ts';
import { openReviewOf } from '../open-review.ts';
import { openRewardShop } from '../reward-shop.ts';
import { openShop, type Shop } from '../shop.ts';
import { type Catcher, catchWebhooks } from '../webhook-catcher.ts';
import { makeSigner, newWidgetSecret } from '../widget-token.ts';

const coupons = new MemoryRewards('stripe_coupon');
const balance = new MemoryRewards('stripe_balance');
let service: TestService;
let catcher: Catcher;
beforeAll(async () => {
  service = await startService({ rewardProviders: [balance, coupons] });
  catcher = await catchWebhooks();
});
afterAll(async () => {
  await service.close();
  await catcher.close();
});

const UNITS = {
  benefitKind: 'custom',
  calculation: 'fixed',
  quantity: 5,
  unit: { key: 'gigabyte', name: 'gigabyte', namePlural: 'gigabytes' },
};
let shop: Shop;
beforeEach(async () => {
  shop = await openShop(service);
  await shop.addRule(UNITS);
  catcher.caught.length = 0;
});

const reward = async (id = '', of = shop) => (await of.read(`/v1/rewards/${id}`)).body;
const decide = async (id: string, decision: string, of = shop) => {
  const answer = await of.post(`/v1/risk-reviews/${id}/decision`, { decision, note: 'Marked.' });
  expect(answer.status).toBe(200);
  return answer.body.data;
};
const isSound = async ({ project }: Shop = shop) =>
  expect((await verifyProject(service.database, project.projectId)).kept).toEqual([]);
const listen = (more: object = {}) =>
  shop.post('/v1/webhook-endpoints', { url: catcher.url, ...more });
const caughtTypes = () => catcher.caught.map(({ text }) => JSON.parse(text).type as string);

describe('the response of a receiver', () => {
  test.each([
    ['approve', 'fulfilled', ['reward.earned', 'reward.fulfilled']],
    ['reject', 'revocation_pending', ['reward.earned', 'reward.fulfilled', 'reward.voided']],
  ] as const)(
    'counts as delivered, and the decision to %s records its grant',
    async (decision, status, types) => {
      await listen({ eventTypes: ['reward.earned'] });
      const review = await openReviewOf(service, shop);
      const { custom = '' } = await shop.buy('o-1');
      await service.dispatch();
      expect(caughtTypes()).toEqual(['reward.earned']);
      expect(await reward(custom)).toMatchObject({
        fulfillmentStatus: 'pending',
        fulfillment: null,
        delivery: { reason: 'risk_review' },
      });
      await isSound();
      await decide(review, decision);
      expect(await reward(custom)).toMatchObject({
        fulfillmentStatus: status,
        fulfillment: { actor: 'webhook' },
      });
      const news = (await shop.feed()).filter(({ data }) => data.reward?.id === custom);
      expect(news.map(({ type }) => type)).toEqual(types);
      await service.dispatch();
      expect(caughtTypes()).toEqual(['reward.earned']);
      await isSound();
    },
  );
});

test('events of reviews are sent to endpoints that name them, and to no others', async () => {
  const all = (await listen()).body.endpoint;
  expect(all.eventTypes).not.toContain('risk.review_opened');
  await decide(await openReviewOf(service, shop), 'approve');
  await service.dispatch();
  expect(caughtTypes()).toEqual([]);
  await shop.signUp('eve');
  await service.dispatch();
  catcher.caught.length = 0;
  await listen({ eventTypes: ['risk.review_opened', 'risk.review_decided'] });
  await decide(await openReviewOf(service, shop, 'eve'), 'reject');
  await service.dispatch();
  expect(caughtTypes()).toEqual(['risk.review_opened', 'risk.review_decided']);
  const [, { text } = { text: '' }] = catcher.caught;
  expect(JSON.parse(text).data.review).toMatchObject({
    status: 'rejected',
    referrer: { externalId: 'ada' },
    referee: { externalId: 'eve' },
    signals: ['same_network', 'email_alias'],
  });
  expect(text).not.toContain('Marked.');
});

describe('a Reward that the service delivers', () => {
  const connect = (projectId: string) => {
    coupons.connected.add(projectId);
    balance.connected.add(projectId);
  };

  test('is not sent while it is under review, and is once that is approved', async () => {
    const coupon = await openRewardShop(service, connect, ['discount', 'credit']);
    await coupon.bill('cus_ada');
    const { discount = '', credit = '' } = await coupon.buy('o-1');
    const review = await openReviewOf(service, coupon);
    await service.deliverRewards();
    expect([coupons.has(discount), balance.has(credit)]).toEqual([0n, 0n]);
    await isSound(coupon);
    await decide(review, 'approve', coupon);
    await service.deliverRewards();
    expect([coupons.has(discount), balance.has(credit)]).toEqual([1n, 500n]);
    await isSound(coupon);
  });

  test('is never sent after a rejection', async () => {
    const coupon = await openRewardShop(service, connect, ['discount']);
    await coupon.bill('cus_ada');
    const { discount = '' } = await coupon.buy('o-1');
    await decide(await openReviewOf(service, coupon), 'reject', coupon);
    await service.deliverRewards();
    expect(coupons.has(discount)).toBe(0n);
    await isSound(coupon);
  });
});

describe('of a referral with very many Rewards', () => {
  const COPIES = 1_100;
  const neverFails = (error: unknown) => expect.fail(String(error));
  const heldOf = async (projectId: string) => {
    const [row] = await service.database.reads.query<{ held: bigint; voided: bigint }>(
      `select count(*) filter (where is_under_review) as held,
         count(*) filter (where void is not null) as voided
       from rewards where project_id = $1`,
      [projectId],
    );
    return row;
  };

  test('the decision is carried out on all, and what a crash left is finished', async () => {
    const { projectId } = shop.project;
    const { custom = '' } = await shop.buy('o-1');
    await service.database.reads.query(
      `insert into rewards (project_id, id, number, program_id, rule_id, terms_version_id,
         event_id, referral_id, beneficiary_role, beneficiary_participant_id, benefit_kind,
         quantity, unit_id, method, earned_at, available_at, fulfillment_status, delivery_status,
         delivery_reason, arithmetic, created_at, updated_at)
       select project_id, id || n, 1 + n, program_id, rule_id, terms_version_id, event_id || n,
         referral_id, beneficiary_role, beneficiary_participant_id, benefit_kind, quantity,
         unit_id, method, earned_at, available_at, fulfillment_status, delivery_status,
         delivery_reason, arithmetic, created_at, updated_at
       from rewards cross join generate_series(1, $3::integer) as n
       where project_id = $1 and id = $2`,
      [projectId, custom, COPIES],
    );
    const review = await openReviewOf(service, shop);
    expect(await heldOf(projectId)).toEqual({ held: BigInt(COPIES + 1), voided: 0n });
    const decided = await decide(review, 'reject');
    expect(decided).toMatchObject({ status: 'rejected', heldRewards: 0 });
    expect(await heldOf(projectId)).toEqual({ held: 0n, voided: BigInt(COPIES + 1) });
    const { reads } = service.database;
    await reads.query('update risk_reviews set is_unfinished = true where project_id = $1', [
      projectId,
    ]);
    await reads.query(
      `update rewards set is_under_review = true, void = null, fulfillment_status = 'pending'
       where project_id = $1 and number > 100`,
      [projectId],
    );
    expect(await finishReviews({ ...service.built, ...service }, neverFails)).toBe(1);
    expect(await heldOf(projectId)).toEqual({ held: 0n, voided: BigInt(COPIES + 1) });
    expect(await finishReviews({ ...service.built, ...service }, neverFails)).toBe(0);
  });
});

describe('people under review', () => {
  const idOf = async (externalId: string) =>
    (await shop.read('/v1/participants', { externalId })).body.data[0].id as string;
  const erase = async (id: string, force: boolean) =>
    service.call('DELETE', `/v1/participants/${id}`, {
      as: shop.project.key,
      query: { projectId: shop.project.projectId, force },
    });

  test('are erased like others: the review stays, without the note and the name', async () => {
    await shop.buy('o-1');
    const review = await openReviewOf(service, shop);
    const ada = await idOf('ada');
    expect((await erase(ada, false)).body.error.reason).toBe('unsettled_rewards');
    expect((await erase(ada, true)).status).toBe(200);
    const { body } = await shop.read(`/v1/risk-reviews/${review}`);
    expect(body.data).toMatchObject({ status: 'open', heldRewards: 0 });
    expect(JSON.stringify(body)).not.toContain('"ada"');
    expect((await decide(review, 'reject')).note).toBe('Marked.');
    expect((await erase(await idOf('bob'), true)).status).toBe(200);
    expect((await shop.read(`/v1/risk-reviews/${review}`)).body.data).toMatchObject({
      status: 'rejected',
      note: null,
    });
    await isSound();
  });

  test('see in the widget that it is being checked', async () => {
    await shop.buy('o-1');
    await openReviewOf(service, shop);
    const { projectId } = shop.project;
    const { secret } = await newWidgetSecret(service, shop.project);
    const sign = makeSigner(service, shop.project, secret);
    const { body } = await service.call('GET', '/v1/widget/rewards', {
      as: 'nobody',
      headers: { authorization: `Bearer ${await sign()}` },
      query: { projectId, programId: shop.programId },
    });
    expect(body.items).toMatchObject([{ status: 'on_hold', holdReason: 'review' }]);
  });
});

test.each([
  [
    'a Reward that is released without a decision',
    `update rewards set is_under_review = false, delivery_status = 'pending',
       delivery_reason = 'awaiting_operator' where project_id = $1 returning 1`,
    ['reward: is_under_review'],
  ],
  [
    'a review that nobody decided',
    `update risk_reviews set status = 'approved', decided_at = opened_at
     where project_id = $1 returning 1`,
    [
      'referral: review_status',
      'feed: risk.review_decided',
      'reward: is_under_review',
      'counter: value',
    ],
  ],
  [
    'a score below the limit',
    'update risk_reviews set score = 24 where project_id = $1 returning 1',
    ['review: score'],
  ],
  [
    'a response to what is not under review',
    `update rewards set answered_event_id = 'wev_1', is_under_review = false,
       delivery_status = 'pending', delivery_reason = 'awaiting_operator'
     where project_id = $1 returning 1`,
    ['reward: answered_event_id', 'reward: is_under_review'],
  ],
  [
    'a review of somebody else',
    `update risk_reviews set referee_participant_id = referrer_participant_id
     where project_id = $1 returning 1`,
    ['review: referral'],
  ],
  [
    'a gap in the numbers of reviews',
    'update risk_reviews set number = 2 where project_id = $1 returning 1',
    ['review: number', 'head: numbers.riskReviews'],
  ],
])('the auditor finds %s', async (_, damage, expected) => {
  await shop.buy('o-1');
  await openReviewOf(service, shop);
  const found = await findDamage(service.database, shop.project.projectId, damage);
  const fields = found.map(({ subject, field }) => `${subject}: ${field}`);
  expect([...new Set(fields)].sort()).toEqual([...expected].sort());
});
