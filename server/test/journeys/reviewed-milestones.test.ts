import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { finishReviews } from '../../src/domain/tracking/reviews/worker.ts';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { findDamage } from '../damage.ts';
import { openService, type TestService } from '../harness.ts';
import { openReviewOf } from '../open-review.ts';
import { openShop, type Shop } from '../shop.ts';
import { makeSigner, newWidgetSecret } from '../widget-token.ts';

const USD = { currency: 'USD', currencyExponent: 2 };
const HELD = { status: 'on_hold', reason: 'risk_review' };

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
const addMug = async (milestone: object, eventType: string) => {
  const { programId } = shop;
  const rule = { programId, eventType, purpose: 'bonus', name: 'Mug', beneficiaryRole: 'referrer' };
  const benefit = { benefitKind: 'cash', calculation: 'milestone', fixedAmountMinor: '5000' };
  const terms = { ...benefit, ...USD, durationMode: 'once', milestone };
  await ok(shop.post('/v1/benefit-rules', { ...rule, terms }));
};
const buy = async (externalId: string, sourceEventId: string, amountMinor = '1000') => {
  const { sourceNamespaceId } = shop;
  const participant = { kind: 'individual', externalId };
  const purchase = { amountMinor, currency: 'USD' };
  const event = { type: 'purchase', sourceNamespaceId, sourceEventId, participant, purchase };
  return (await ok(shop.post('/v1/track/events', event))).eventId as string;
};
const rewards = async (query = {}) => (await ok(shop.read('/v1/rewards', query))).data;
const expectClean = async () =>
  expect((await verifyProject(service.database, shop.project.projectId)).kept).toEqual([]);
const grant = (id: string) =>
  shop.post(`/v1/rewards/${id}/fulfillment`, { externalReference: 'bank transfer' });

test('a mug that is reached with a friend under review waits until the review is approved', async () => {
  await addMug({ measure: 'referrals', at: '3' }, 'signup');
  await shop.signUp('fake');
  const review = await openReviewOf(service, shop, 'fake');
  const last = await shop.signUp('cleo');
  const [mug] = await rewards();
  expect(mug).toMatchObject({
    delivery: HELD,
    milestone: { value: '3', underReview: '1', at: '3' },
  });
  expect((await ok(shop.read(`/v1/events/${last}/explanation`))).data.rules).toMatchObject([
    { verdict: 'earned', milestone: { value: '3', underReview: '1', at: '3' } },
  ]);
  expect((await grant(mug.id)).body.error).toMatchObject({
    code: 'CONFLICT',
    reason: 'under_review',
  });
  const { secret } = await newWidgetSecret(service, shop.project);
  const sign = makeSigner(service, shop.project, secret);
  const seen = await service.call('GET', '/v1/widget/rewards', {
    as: 'nobody',
    headers: { authorization: `Bearer ${await sign({ claims: { sub: 'ada' } })}` },
    query: { projectId: shop.project.projectId, programId: shop.programId },
  });
  expect(seen.body.items).toMatchObject([{ status: 'on_hold', holdReason: 'review' }]);
  await expectClean();
  await decide(review, 'approve');
  expect((await rewards())[0].delivery).toMatchObject({ status: 'pending' });
  expect((await grant(mug.id)).status).toBe(200);
  await expectClean();
});

test('a review that is opened later holds what is not granted, and its rejection takes it away once', async () => {
  await addMug({ measure: 'purchases', at: '1', repeat: true }, 'purchase');
  await shop.signUp('fake');
  await buy('fake', 'f-1');
  const [first] = await rewards();
  expect((await grant(first.id)).status).toBe(200);
  await shop.order('b-1');
  await buy('fake', 'f-2');
  const review = await openReviewOf(service, shop, 'fake');
  const state = async () =>
    (await rewards())
      .map((one: { milestone: { at: string }; delivery: { status: string } }) => [
        one.milestone.at,
        one.delivery.status,
      ])
      .sort();
  expect(await state()).toEqual([
    ['1', 'delivered'],
    ['2', 'on_hold'],
    ['3', 'on_hold'],
  ]);
  await expectClean();
  // Two of Bob's carry the second one.
  await shop.order('b-2');
  expect((await state()).map(([, status]: string[]) => status)).toEqual([
    'delivered',
    'pending',
    'on_hold',
    'on_hold',
  ]);
  await decide(review, 'reject');
  expect((await state()).map(([, status]: string[]) => status)).toEqual([
    'delivered',
    'pending',
    'cancelled',
    'cancelled',
  ]);
  const voided = (await shop.feed()).filter(({ type }) => type === 'reward.voided');
  expect(voided).toHaveLength(2);
  await decide(review, 'reject');
  expect((await shop.feed()).filter(({ type }) => type === 'reward.voided')).toHaveLength(2);
  await expectClean();
});

test('starting measures that carry a held milestone release it with the next fact', async () => {
  await addMug({ measure: 'referrals', at: '2' }, 'signup');
  await shop.signUp('fake');
  await openReviewOf(service, shop, 'fake');
  expect((await rewards())[0].delivery).toMatchObject(HELD);
  const row = { externalId: 'ada', startingMeasures: { referrals: '1' } };
  await ok(shop.post('/v1/imports/rows', { programId: shop.programId, rows: [row] }));
  await expectClean();
  await buy('bob', 'b-1');
  expect((await rewards())[0].delivery).toMatchObject({ status: 'pending' });
  await expectClean();
});

test('very many are settled in portions: what a crash left is held, and finished or given by the next fact', async () => {
  const { projectId } = shop.project;
  await addMug({ measure: 'revenue', at: '1', repeat: true }, 'purchase');
  await shop.signUp('fake');
  const review = await openReviewOf(service, shop, 'fake');
  await buy('fake', 'f-1', '620');
  const { reads } = service.database;
  const counts = async () => {
    const [row] = await reads.query<{ held: bigint; lost: bigint; free: bigint }>(
      `select count(*) filter (where is_under_review) as held,
         count(*) filter (where void is not null) as lost,
         count(*) filter (where void is null and not is_under_review) as free
       from rewards where project_id = $1`,
      [projectId],
    );
    return row;
  };
  expect(await counts()).toEqual({ held: 620n, lost: 0n, free: 0n });
  await decide(review, 'reject');
  expect(await counts()).toEqual({ held: 0n, lost: 620n, free: 0n });
  await expectClean();
  // As if the process had ended after the decision and the first portion.
  await reads.query(
    `update rewards set is_under_review = true, void = null, fulfillment_status = 'pending',
       delivery_status = 'on_hold', delivery_reason = 'risk_review'
     where project_id = $1 and milestone_at > 500`,
    [projectId],
  );
  await reads.query('update risk_reviews set is_unfinished = true where project_id = $1', [
    projectId,
  ]);
  const [held] = await rewards({ limit: 1 });
  expect((await grant(held.id)).body.error).toMatchObject({ reason: 'under_review' });
  // An honest purchase reaches 560 of them: those are regained, the others are still to be settled.
  await buy('bob', 'b-1', '560');
  expect(await counts()).toEqual({ held: 0n, lost: 60n, free: 560n });
  const fail = (error: unknown) => expect.fail(String(error));
  expect(await finishReviews({ ...service.built, ...service }, fail)).toBe(1);
  expect(await counts()).toEqual({ held: 0n, lost: 60n, free: 560n });
});

test('the auditor finds a milestone that should be held', async () => {
  await addMug({ measure: 'referrals', at: '2' }, 'signup');
  await shop.signUp('fake');
  await openReviewOf(service, shop, 'fake');
  await expectClean();
  const found = await findDamage(
    service.database,
    shop.project.projectId,
    `update rewards set is_under_review = false, delivery_status = 'pending', delivery_reason = 'awaiting_operator'
     where project_id = $1 returning 1`,
  );
  expect(found).toMatchObject([{ subject: 'reward', field: 'hold of a milestone' }]);
});
