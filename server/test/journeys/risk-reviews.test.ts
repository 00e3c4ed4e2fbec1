import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { openService, type TestService } from '../harness.ts';
import { openReviewOf } from '../open-review.ts';
import { openPayoutShop, type PayoutShop } from '../payout-shop.ts';
import { openShop, type Shop } from '../shop.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const CASH = {
  benefitKind: 'cash',
  calculation: 'fixed',
  fixedAmountMinor: '500',
  currency: 'USD',
  currencyExponent: 2,
};
const UNITS = {
  benefitKind: 'custom',
  calculation: 'fixed',
  quantity: 5,
  unit: { key: 'gigabyte', name: 'gigabyte', namePlural: 'gigabytes' },
};
const HELD = {
  fulfillmentStatus: 'pending',
  delivery: { status: 'on_hold', reason: 'risk_review' },
};

let shop: Shop;
let reviewId: string;
let before: Record<string, string>;
beforeEach(async () => {
  shop = await openShop(service);
  await shop.addRule(CASH);
  await shop.addRule(UNITS);
  before = await shop.buy('before');
  reviewId = await openReviewOf(service, shop);
});

const reward = async (id = '') => (await shop.read(`/v1/rewards/${id}`)).body;
const decide = (decision: string, more: object = {}, of = reviewId) =>
  shop.post(`/v1/risk-reviews/${of}/decision`, { decision, ...more });
const grant = (id = '') => shop.post(`/v1/rewards/${id}/fulfillment`, { externalReference: 'g-1' });
const isSound = async ({ project }: Shop = shop) =>
  expect((await verifyProject(service.database, project.projectId)).kept).toEqual([]);

describe('while a referral is under review', () => {
  test('all its Rewards wait, those from before and those that follow, and none is granted', async () => {
    const after = await shop.buy('after');
    for (const id of [...Object.values(before), ...Object.values(after)]) {
      expect(await reward(id)).toMatchObject(HELD);
      expect((await grant(id)).body.error).toMatchObject({ reason: 'under_review' });
    }
    const shown = (await shop.read(`/v1/risk-reviews/${reviewId}`)).body.data;
    expect(shown).toMatchObject({ status: 'open', score: 85, heldRewards: 4 });
    expect(shown.rewardIds).toHaveLength(4);
    await isSound();
  });

  test('a Reward may be voided or refunded to nothing as always', async () => {
    const voided = await shop.post(`/v1/rewards/${before.custom}/void`, { reasonCode: 'error' });
    expect(voided.body).toMatchObject({ fulfillmentStatus: 'cancelled' });
    const refunded = await shop.post('/v1/track/adjustments', {
      sourceNamespaceId: shop.sourceNamespaceId,
      sourceEventId: 'refund',
      purchase: { sourceEventId: 'before' },
      kind: 'refund',
      amountMinor: '1000',
      currency: 'USD',
      currencyExponent: 2,
      occurredAt: service.clock.now,
    });
    expect(refunded.status).toBe(200);
    expect(await reward(before.cash)).toMatchObject({ fulfillmentStatus: 'cancelled' });
    await isSound();
    await decide('reject');
    expect(await reward(before.custom)).toMatchObject({ void: { reasonCode: 'error' } });
    expect(await reward(before.cash)).toMatchObject({ void: { reasonCode: 'fraud' } });
    await isSound();
  });
});

test('a signup whose score reaches the limit of the policy opens a review, with its Rewards on hold', async () => {
  const own = await openShop(service);
  const published = await own.post(`/v1/programs/${own.programId}/risk-policies`, {
    mode: 'review',
    reviewAt: 60,
  });
  expect(published.status).toBe(200);
  for (const [externalId, email] of [
    ['ada', 'ada@example.com'],
    ['eve', 'a.d.a+2@example.com'],
  ]) {
    const named = await service.call('PUT', '/v1/participants', {
      as: own.project.key,
      body: {
        projectId: own.project.projectId,
        participant: { kind: 'individual', externalId },
        email,
      },
    });
    expect(named.status).toBe(200);
  }
  await own.post('/v1/benefit-rules', {
    programId: own.programId,
    eventType: 'signup',
    beneficiaryRole: 'referrer',
    purpose: 'primary',
    name: 'Thanks',
    terms: CASH,
  });
  const eventId = await own.signUp('eve');
  const [review] = (await own.read('/v1/risk-reviews', { status: 'open' })).body.data;
  expect(review).toMatchObject({ eventId, referee: { externalId: 'eve' }, heldRewards: 1 });
  const { risk } = (await own.read(`/v1/events/${eventId}/explanation`)).body.data;
  expect(risk).toMatchObject({ reviewId: review.id, score: review.score });
  const [earned] = (await own.read('/v1/rewards', { eventId })).body.data;
  expect(earned).toMatchObject(HELD);
  expect((await own.feed()).map(({ type }) => type).slice(-4)).toEqual([
    'event.recorded',
    'referral.created',
    'risk.review_opened',
    'reward.earned',
  ]);
  await isSound(own);
});

describe('a decision', () => {
  test('to approve releases the Rewards, and what is earned afterwards', async () => {
    const approved = await decide('approve', { note: 'Flatmates.' });
    expect(approved.body.data).toMatchObject({
      status: 'approved',
      note: 'Flatmates.',
      decidedBy: expect.stringMatching(/^key:/),
      heldRewards: 0,
    });
    const after = await shop.buy('after');
    for (const id of [...Object.values(before), ...Object.values(after)]) {
      expect(await reward(id)).toMatchObject({ delivery: { reason: 'awaiting_operator' } });
      expect((await grant(id)).status).toBe(200);
    }
    await isSound();
  });

  test('to reject voids the Rewards, and nothing more is earned', async () => {
    expect((await decide('reject')).body.data).toMatchObject({ status: 'rejected' });
    for (const id of Object.values(before)) {
      expect(await reward(id)).toMatchObject({
        fulfillmentStatus: 'cancelled',
        void: { reasonCode: 'fraud', reason: null },
      });
    }
    const eventId = await shop.order('after');
    const { body } = await shop.read(`/v1/events/${eventId}/explanation`);
    for (const rule of body.data.rules) {
      expect(rule).toMatchObject({ verdict: 'skipped', reason: 'referral_rejected' });
    }
    await isSound();
  });

  test('stays: a repeat gets the first answer, and the other decision is refused', async () => {
    const first = await decide('reject', { note: 'First.' });
    expect((await decide('reject', { note: 'Second.' })).body).toEqual(first.body);
    const other = await decide('approve');
    expect([other.status, other.body.error.reason]).toEqual([409, 'review_decided']);
    expect((await decide('approve', {}, 'rvw_nobody')).status).toBe(404);
    const types = (await shop.feed()).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith('risk.'))).toEqual([
      'risk.review_opened',
      'risk.review_decided',
    ]);
    expect(types.filter((type) => type === 'reward.voided')).toHaveLength(2);
  });

  test('of many at once: one wins, and all of one kind get the same answer', async () => {
    const answers = await Promise.all(
      ['approve', 'reject', 'approve', 'reject'].map((decision) => decide(decision)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    await isSound();
  });

  test('is in the audit log with who made it, and without its note', async () => {
    await decide('reject', { note: 'Ask Jane Doe.' });
    const { workspaceId, projectId } = shop.project;
    const { body } = await service.call('GET', '/v1/audit-log', {
      as: 'operator',
      query: { workspaceId, projectId, action: 'risk_review.reject' },
    });
    expect(body.data).toMatchObject([
      { targetId: reviewId, actorType: 'key', changes: { status: 'rejected' } },
    ]);
    expect(JSON.stringify([body, await shop.feed()])).not.toContain('Jane');
  });
});

describe('the list of reviews', () => {
  test('is filtered, and its cursor belongs to the Project and the filters', async () => {
    await shop.signUp('eve');
    const ofEve = await openReviewOf(service, shop, 'eve', {
      referralsInHour: 25,
      referralsInDay: 25,
    });
    await decide('approve', {}, ofEve);
    const list = async (query: Record<string, string>) =>
      (await shop.read('/v1/risk-reviews', query)).body;
    const idsOf = async (query: Record<string, string>) =>
      (await list(query)).data.map(({ id }: { id: string }) => id);
    expect(await idsOf({})).toEqual([ofEve, reviewId]);
    expect(await idsOf({ status: 'open' })).toEqual([reviewId]);
    expect(await idsOf({ signal: 'velocity' })).toEqual([ofEve]);
    expect(await idsOf({ programId: shop.programId, status: 'rejected' })).toEqual([]);
    const { nextCursor: cursor } = await list({ limit: '1' });
    expect(await idsOf({ limit: '1', cursor })).toEqual([reviewId]);
    const refused = await shop.read('/v1/risk-reviews', { status: 'open', cursor });
    expect(refused.status).toBe(400);
    const elsewhere = await openShop(service);
    expect((await elsewhere.read('/v1/risk-reviews', { cursor })).status).toBe(400);
  });

  test('says why in sentences, and figures count how the reviews of a signal ended', async () => {
    const { signals } = (await shop.read(`/v1/risk-reviews/${reviewId}`)).body.data;
    expect(signals).toMatchObject([
      { signal: 'same_network', points: 25, sentence: expect.stringContaining('network') },
      { signal: 'email_alias', points: 60, sentence: expect.stringContaining('same e-mail') },
    ]);
    await decide('reject');
    const { data } = (await shop.read('/v1/risk-signals')).body;
    const ended = data.filter(({ rejected }: { rejected: number }) => rejected > 0);
    expect(ended).toEqual([
      { signal: 'same_network', open: 0, approved: 0, rejected: 1 },
      { signal: 'email_alias', open: 0, approved: 0, rejected: 1 },
    ]);
  });

  test('leads to the other referrals of the referrer, and to who shares something with the referee', async () => {
    for (const name of ['eve', 'joe']) await shop.signUp(name);
    const idOf = async (externalId: string) =>
      (await shop.read('/v1/participants', { externalId })).body.data[0].id;
    const [bob, eve] = await Promise.all(['bob', 'eve'].map(idOf));
    await service.database.reads.query(
      `insert into participant_networks (project_id, participant_id, network_hash, seen_at)
       select $1, id, 'home', '2026-11-15' from unnest($2::text[]) as k (id)`,
      [shop.project.projectId, [bob, eve]],
    );
    const { body } = await shop.read(`/v1/risk-reviews/${reviewId}`);
    const { otherReferrals, ring } = body.data;
    const names = (people: { externalId: string }[]) => people.map((one) => one.externalId).sort();
    expect(names(otherReferrals.map((one: { referee: object }) => one.referee))).toEqual([
      'eve',
      'joe',
    ]);
    expect(names(ring.people)).toEqual(['ada', 'bob', 'eve']);
    expect(ring.links).toContainEqual({ from: bob, to: eve, kind: 'network' });
    expect(JSON.stringify(body)).not.toContain('home');
  });
});

describe('a payout', () => {
  let payouts: PayoutShop;
  beforeEach(async () => {
    payouts = await openPayoutShop(service);
  });
  const open = () => openReviewOf(service, payouts);
  const decideIt = (id: string, decision: string) =>
    payouts.post(`/v1/risk-reviews/${id}/decision`, { decision });

  test('leaves out what is under review, and pays it once it is approved', async () => {
    const [id = ''] = await payouts.earn('o-1');
    const review = await open();
    expect((await payouts.draft()).payouts).toEqual([]);
    const { waiting } = (await payouts.read('/v1/payout-overview')).body.data;
    expect(waiting.map((one: { reason: string }) => one.reason)).toEqual(['under_review']);
    await decideIt(review, 'approve');
    expect((await payouts.submit()).payouts).toMatchObject([{ amountMinor: '1000' }]);
    expect(await payouts.reward(id)).toMatchObject({ fulfillmentStatus: 'in_progress' });
    await isSound(payouts);
  });

  test('that is approved after the review was opened leaves it out as well', async () => {
    const [id = ''] = await payouts.earn('o-1');
    const batch = await payouts.draft();
    expect(batch.payouts).toHaveLength(1);
    const review = await open();
    expect((await payouts.act(batch.id, 'approve')).status).toBe(200);
    expect(await payouts.reward(id)).toMatchObject({ delivery: { reason: 'risk_review' } });
    await decideIt(review, 'reject');
    expect(await payouts.reward(id)).toMatchObject({ fulfillmentStatus: 'cancelled' });
    await isSound(payouts);
  });

  test('that was approved before the review was opened goes on, unless its batch is cancelled', async () => {
    const [id = ''] = await payouts.earn('o-1');
    const batch = await payouts.approve();
    const review = await open();
    const held = async () => {
      const { heldRewards, heldAmounts } = (await payouts.read(`/v1/risk-reviews/${review}`)).body
        .data;
      return [heldRewards, heldAmounts[0]?.amountMinor];
    };
    expect(await payouts.reward(id)).toMatchObject({ fulfillmentStatus: 'in_progress' });
    expect(await held()).toEqual([0, undefined]);
    expect((await payouts.act(batch.id, 'cancel')).status).toBe(200);
    expect(await payouts.reward(id)).toMatchObject({
      fulfillmentStatus: 'pending',
      delivery: { status: 'on_hold', reason: 'risk_review' },
    });
    expect(await held()).toEqual([1, '1000']);
    expect((await payouts.draft()).payouts).toEqual([]);
    await isSound(payouts);
  });

  test('that is under way when the review is opened decides by its outcome', async () => {
    const [id = ''] = await payouts.earn('o-1');
    const { payouts: made } = await payouts.submit();
    const review = await open();
    expect(await payouts.reward(id)).toMatchObject({ fulfillmentStatus: 'in_progress' });
    await decideIt(review, 'reject');
    expect((await payouts.result(made[0].id, 'paid')).status).toBe(200);
    expect(await payouts.reward(id)).toMatchObject({
      fulfillmentStatus: 'fulfilled',
      void: { reasonCode: 'fraud' },
    });
    await isSound(payouts);
  });
});
