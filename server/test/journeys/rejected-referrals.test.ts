import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { findDamage } from '../damage.ts';
import { openService, type TestService } from '../harness.ts';
import { openReviewOf } from '../open-review.ts';
import { openShop, type Shop } from '../shop.ts';
import { makeSigner, newWidgetSecret } from '../widget-token.ts';

const MUG = { benefitKind: 'cash', calculation: 'milestone', fixedAmountMinor: '5000' };
const USD = { currency: 'USD', currencyExponent: 2 };
const SHARE = {
  benefitKind: 'cash',
  calculation: 'percentage',
  tiers: {
    measure: 'purchases',
    window: 'calendar_month',
    steps: [
      { from: '0', rateBps: 1_000 },
      { from: '3', rateBps: 2_000 },
    ],
  },
};

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  shop = await openShop(service);
});

const ok = async (answer: ReturnType<Shop['post']>) => {
  const { status, body } = await answer;
  expect([status, body]).toMatchObject([200, {}]);
  return body;
};
const decide = (id: string, decision: string) =>
  ok(shop.post(`/v1/risk-reviews/${id}/decision`, { decision }));
const addMug = async (measure: string, at: string, eventType: string) => {
  const { programId } = shop;
  const rule = { programId, eventType, purpose: 'bonus', name: 'Mug', beneficiaryRole: 'referrer' };
  const terms = { ...MUG, ...USD, durationMode: 'once', milestone: { measure, at } };
  await ok(shop.post('/v1/benefit-rules', { ...rule, terms }));
};
const buy = async (externalId: string, sourceEventId: string): Promise<string> => {
  const { sourceNamespaceId } = shop;
  const participant = { kind: 'individual', externalId };
  const purchase = { amountMinor: '1000', currency: 'USD' };
  const event = { type: 'purchase', sourceNamespaceId, sourceEventId, participant, purchase };
  return (await ok(shop.post('/v1/track/events', event))).eventId;
};
const rewards = async (query = {}) => (await ok(shop.read('/v1/rewards', query))).data;
const expectClean = async () =>
  expect((await verifyProject(service.database, shop.project.projectId)).kept).toEqual([]);
const progress = async () => {
  const { secret } = await newWidgetSecret(service, shop.project);
  const sign = makeSigner(service, shop.project, secret);
  const { projectId } = shop.project;
  const { body } = await service.call('POST', '/v1/widget/init', {
    as: 'nobody',
    headers: { authorization: `Bearer ${await sign({ claims: { sub: 'ada' } })}` },
    body: { projectId, programId: shop.programId },
  });
  return body.progress.map(({ value, next }: { value: string; next: { at: string } | null }) => [
    value,
    next?.at ?? null,
  ]);
};

test('a rejected referral counts for no milestone: it is lost, once, and due again with the next friend', async () => {
  await addMug('referrals', '3', 'signup');
  await shop.signUp('fake');
  await shop.signUp('cleo');
  expect(await rewards()).toMatchObject([{ fulfillmentStatus: 'pending' }]);
  expect(await progress()).toEqual([['3', null]]);
  const review = await openReviewOf(service, shop, 'fake');
  await decide(review, 'reject');
  expect(await rewards()).toMatchObject([
    { fulfillmentStatus: 'cancelled', void: { reasonCode: 'milestone_lost' } },
  ]);
  expect(await progress()).toEqual([['2', '3']]);
  await expectClean();
  const news = (await shop.feed()).length;
  await decide(review, 'reject');
  expect((await shop.feed()).length).toBe(news);
  expect(await progress()).toEqual([['2', '3']]);
  const last = await shop.signUp('dan');
  expect(await rewards()).toMatchObject([{ fulfillmentStatus: 'pending', void: null }]);
  const { data } = await ok(shop.read(`/v1/events/${last}/explanation`));
  expect(data.rules).toMatchObject([
    { isRegained: true, milestone: { value: '3', rejected: '1', at: '3' } },
  ]);
  await expectClean();
});

test('a milestone that was granted stays granted, and is not earned a second time', async () => {
  await addMug('referrals', '2', 'signup');
  await shop.signUp('fake');
  const [mug] = await rewards();
  const externalReference = 'bank transfer';
  await ok(shop.post(`/v1/rewards/${mug.id}/fulfillment`, { externalReference }));
  await decide(await openReviewOf(service, shop, 'fake'), 'reject');
  await shop.signUp('cleo');
  expect(await rewards()).toMatchObject([{ id: mug.id, fulfillmentStatus: 'fulfilled' }]);
  await expectClean();
});

test('its purchases count for no step, before and after the decision, whatever is refunded later', async () => {
  await shop.addRule(SHARE);
  await addMug('revenue', '3000', 'purchase');
  await shop.signUp('fake');
  await buy('fake', 'f-1');
  await buy('fake', 'f-2');
  await shop.order('b-1');
  const review = await openReviewOf(service, shop, 'fake');
  expect(await rewards({ status: 'pending' })).toHaveLength(4);
  await decide(review, 'reject');
  await expectClean();
  await buy('fake', 'f-3');
  const event = await shop.order('b-2');
  const earned = await rewards({ eventId: event });
  expect(earned).toMatchObject([
    { money: { amountMinor: '100' }, tier: { value: '2', rejected: '3', from: '0' } },
  ]);
  const refund = { kind: 'refund', amountMinor: '1000', ...USD, occurredAt: service.clock.now };
  const { sourceNamespaceId } = shop;
  const purchase = { sourceEventId: 'f-1' };
  const sent = { sourceNamespaceId, sourceEventId: 'r-1', purchase, ...refund };
  await ok(shop.post('/v1/track/adjustments', sent));
  await expectClean();
  await shop.order('b-3');
  const [mug] = (await rewards()).filter((one: { milestone: object | null }) => one.milestone);
  expect(mug).toMatchObject({ void: null, fulfillmentStatus: 'pending' });
  await expectClean();
});

test('carried measures stay, and what happens to its purchases after the decision and its erasure changes none', async () => {
  const row = { externalId: 'ada', startingMeasures: { purchases: '2' } };
  await ok(shop.post('/v1/imports/rows', { programId: shop.programId, rows: [row] }));
  await addMug('purchases', '4', 'purchase');
  await shop.signUp('fake');
  await buy('fake', 'f-1');
  await buy('fake', 'f-2');
  await decide(await openReviewOf(service, shop, 'fake'), 'reject');
  expect(await rewards()).toMatchObject([{ void: { reasonCode: 'milestone_lost' } }]);
  expect(await progress()).toEqual([['2', '4']]);
  await shop.order('b-1');
  await shop.order('b-2');
  const expectReached = async () => {
    expect(await rewards()).toMatchObject([{ fulfillmentStatus: 'pending', void: null }]);
    expect(await progress()).toEqual([['4', null]]);
    await expectClean();
  };
  await expectReached();
  const [fake] = (await shop.read('/v1/participants', { externalId: 'fake' })).body.data;
  await ok(
    service.call('DELETE', `/v1/participants/${fake.id}`, {
      as: shop.project.key,
      query: { projectId: shop.project.projectId, force: true },
    }),
  );
  const { sourceNamespaceId } = shop;
  const amount = { amountMinor: '1000', ...USD };
  const steps = [
    { sourceEventId: 'r-1', order: 'f-1', kind: 'refund', ...amount },
    { sourceEventId: 'd-2', order: 'f-2', kind: 'dispute', ...amount },
    { sourceEventId: 'l-2', order: 'f-2', kind: 'dispute_lost', closes: 'd-2' },
    { sourceEventId: 'u-1', order: 'f-1', kind: 'restoration', restores: 'r-1', ...amount },
  ];
  for (const { order, ...step } of steps) {
    const purchase = { sourceEventId: order };
    const adjustment = { ...step, purchase, occurredAt: service.clock.now };
    await ok(shop.post('/v1/track/adjustments', { sourceNamespaceId, ...adjustment }));
    await expectReached();
  }
});

test('terms with a window that come after the decision do not count it', async () => {
  await shop.signUp('fake');
  await buy('fake', 'f-1');
  await buy('fake', 'f-2');
  await decide(await openReviewOf(service, shop, 'fake'), 'reject');
  await shop.addRule(SHARE);
  await expectClean();
  const { cash = '' } = await shop.buy('b-1');
  expect((await ok(shop.read(`/v1/rewards/${cash}`))).tier).toMatchObject({
    value: '1',
    rejected: '2',
  });
  await expectClean();
});

test('the auditor finds a rejected referral that still counts', async () => {
  await shop.signUp('fake');
  await buy('fake', 'f-1');
  await decide(await openReviewOf(service, shop, 'fake'), 'reject');
  const found = await findDamage(
    service.database,
    shop.project.projectId,
    `update figures set numbers = numbers - 'rejected:referrals' - 'rejected:purchases'
     where project_id = $1 and numbers ? 'rejected:referrals' returning 1`,
  );
  expect(found.map(({ id }) => id.replace(/.*(?=rejected:)/s, '')).sort()).toEqual([
    'rejected:purchases',
    'rejected:referrals',
  ]);
});
