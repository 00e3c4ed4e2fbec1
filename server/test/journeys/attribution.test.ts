import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addMs, DAY_MS } from '../../src/platform/kit/instant.ts';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { openService, type TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  shop = await openShop(service);
});

const person = (externalId: string) => ({ kind: 'individual', externalId });
const team = (externalId: string) => ({ kind: 'group', externalId });
const track = async (body: object) =>
  (await shop.post('/v1/track/events', { sourceNamespaceId: shop.sourceNamespaceId, ...body }))
    .body;
const signUp = (participant: object, rest: object = {}) =>
  track({ type: 'signup', participant, ...rest });
const buy = (participant: object, sourceEventId: string, rest: object = {}) =>
  track({
    type: 'purchase',
    participant,
    sourceEventId,
    purchase: { amountMinor: '1000', currency: 'USD' },
    ...rest,
  });
const refund = (order: string, kind = 'refund', rest: object = {}) =>
  shop.post('/v1/track/adjustments', {
    sourceNamespaceId: shop.sourceNamespaceId,
    sourceEventId: `${kind} of ${order}`,
    purchase: { sourceEventId: order },
    kind,
    amountMinor: '1000',
    currency: 'USD',
    currencyExponent: 2,
    occurredAt: service.clock.now,
    ...rest,
  });
const share = (participant: object, slug: string) =>
  shop.post('/v1/referral-links', { programId: shop.programId, participant, slug });
const rewardsOf = async (eventId: string) => {
  const { data } = (await shop.read('/v1/rewards', { eventId })).body;
  return data.map((one: { beneficiary: { externalId: string }; beneficiaryRole: string }) => [
    one.beneficiaryRole,
    one.beneficiary.externalId,
  ]);
};
const findIdOf = async (externalId: string) =>
  (await shop.read('/v1/participants', { externalId })).body.data[0].id;
/** By the Project's clock, which decides what comes due. */
const letTimePass = async (ms: number) => {
  const { projectId, key } = shop.project;
  const now = addMs(service.clock.now, ms);
  await service.call('PUT', `/v1/projects/${projectId}/clock`, { as: key, body: { now } });
};
const expectVerified = async () =>
  expect((await verifyProject(service.database, shop.project.projectId)).kept).toEqual([]);

describe('a code that was sent with a signup (D-TRACK-1)', () => {
  const ada = { refCode: 'ada' };

  test('is accepted if it was applied, and a repeat says what was said first', async () => {
    const first = await signUp(person('carl'), ada);
    expect(first.refCode).toEqual({ accepted: true, reason: null });
    expect(await signUp(person('carl'), { refCode: 'nobody' })).toEqual(first);
  });

  test('of one’s own is not accepted', async () => {
    const { refCode } = await signUp(person('ada'), ada);
    expect(refCode).toEqual({ accepted: false, reason: 'self_referral' });
  });

  test('of an old customer is not accepted', async () => {
    await track({ type: 'purchase', participant: person('dora'), sourceEventId: 'order-1' });
    const { data } = (await shop.read('/v1/events')).body;
    expect(data[0].processingState).toBe('pending');
    await letTimePass(DAY_MS);
    const { refCode } = await signUp(person('dora'), ada);
    expect(refCode).toEqual({ accepted: false, reason: 'existing_customer' });
  });

  test('of a Program that is not active is not accepted', async () => {
    await shop.post(`/v1/programs/${shop.programId}/status`, { status: 'paused' });
    const { refCode } = await signUp(person('erik'), ada);
    expect(refCode).toEqual({ accepted: false, reason: 'program_not_active' });
    await expectVerified();
  });
});

describe('nobody is referred by a group of their own (D-ATTR-4)', () => {
  beforeEach(async () => {
    await share(team('crew'), 'crew');
    await signUp(team('crew'), { actor: person('carl') });
  });

  test.each([
    ['who created it', person('carl'), {}],
    ['a group that they sign up', team('other'), { actor: person('carl') }],
    ['the group itself', team('crew-2'), { actor: person('carl') }],
  ])('%s', async (_, participant, rest) => {
    const { processingReason, refCode } = await signUp(participant, { refCode: 'crew', ...rest });
    expect(processingReason).toBe('self_referral');
    expect(refCode).toEqual({ accepted: false, reason: 'self_referral' });
  });

  test('somebody else is, and by a click as well as by a code', async () => {
    expect((await signUp(person('dora'), { refCode: 'crew' })).processingReason).toBe('attributed');
    const click = async () =>
      (
        await service.call('POST', '/v1/clicks', {
          body: { projectKey: shop.project.projectKey, ref: 'crew' },
        })
      ).body.handle;
    const own = await signUp(person('carl'), { identify: { handle: await click() } });
    expect(own.processingReason).toBe('self_referral');
    const other = await signUp(person('erik'), { identify: { handle: await click() } });
    expect(other.processingReason).toBe('attributed');
  });

  test('what an earlier fact of the same batch says counts', async () => {
    await share(team('new-crew'), 'new-crew');
    const { sourceNamespaceId } = shop;
    const events = [
      { type: 'signup', participant: team('new-crew'), actor: person('finn') },
      { type: 'signup', participant: person('finn'), refCode: 'new-crew' },
      { type: 'signup', participant: person('gerd'), refCode: 'new-crew' },
    ].map((event) => ({ sourceNamespaceId, ...event }));
    const { results } = (await shop.post('/v1/track/events/batch', { events })).body;
    expect(results.map((one: { processingReason: string }) => one.processingReason)).toEqual([
      'no_candidate',
      'self_referral',
      'attributed',
    ]);
  });

  test('an import does not bind it', async () => {
    const row = { externalId: 'carl', referredByCode: 'crew' };
    const { programId } = shop;
    const { body } = await shop.post('/v1/imports/rows', { programId, rows: [row] });
    expect(body.data.results[0]).toMatchObject({
      status: 'invalid',
      issues: [{ path: 'referredByCode' }],
    });
    const other = { externalId: 'hugo', referredByCode: 'crew' };
    const taken = await shop.post('/v1/imports/rows', { programId, rows: [other] });
    expect(taken.body.data.results[0].status).toBe('created');
  });
});

describe('a customer (D-ATTR-5)', () => {
  const becomesOf = async (name: string) =>
    (await signUp(person(name), { refCode: 'ada' })).processingReason;

  test('is who has paid something that is left, by the time of the signup', async () => {
    await buy(person('paid'), 'paid-1');
    await buy(person('free'), 'free-1', { purchase: { amountMinor: '0', currency: 'USD' } });
    await buy(person('back'), 'back-1');
    await buy(person('both'), 'both-1');
    await buy(person('both'), 'both-2');
    await buy(person('held'), 'held-1');
    await buy(person('again'), 'again-1');
    await buy(person('some'), 'some-1', { purchase: undefined });
    await letTimePass(DAY_MS);
    await refund('back-1');
    await refund('both-1');
    await refund('held-1', 'dispute');
    await refund('again-1');
    await refund('again-1', 'restoration', { restores: 'refund of again-1' });
    expect(await becomesOf('paid')).toBe('existing_customer');
    expect(await becomesOf('free')).toBe('attributed');
    expect(await becomesOf('back')).toBe('attributed');
    expect(await becomesOf('both')).toBe('existing_customer');
    expect(await becomesOf('held')).toBe('existing_customer');
    expect(await becomesOf('again')).toBe('existing_customer');
    expect(await becomesOf('some')).toBe('existing_customer');
    await expectVerified();
  });
});

describe('a group’s purchase (D-AM-2)', () => {
  beforeEach(async () => {
    for (const role of ['referrer', 'referee']) {
      await shop.addRule(
        { benefitKind: 'credit', fixedAmountMinor: '100', currency: 'USD', currencyExponent: 2 },
        role,
      );
    }
  });

  test('counts for whoever referred its actor, at once, and its referee’s reward goes to that person', async () => {
    // A group that is referred by nobody itself: its creator was not.
    await signUp(team('crew'), { actor: person('carl') });
    const bought = await buy(team('crew'), 'order-1', { actor: person('bob') });
    expect(bought).toMatchObject({
      processingState: 'processed',
      processingReason: 'attributed',
      attribution: { referrerParticipantId: await findIdOf('ada') },
    });
    expect(await rewardsOf(bought.eventId)).toEqual(
      expect.arrayContaining([
        ['referrer', 'ada'],
        ['referee', 'bob'],
      ]),
    );
    await expectVerified();
  });

  test('counts for whoever referred its creator if nobody referred its actor', async () => {
    // Its creator was referred only after the group had come, so the group has no referral.
    await signUp(team('crew'), { actor: person('carl') });
    await signUp(person('carl'), { refCode: 'ada' });
    const bought = await buy(team('crew'), 'order-1', { actor: person('dora') });
    expect(bought.attribution.referrerParticipantId).toBe(await findIdOf('ada'));
    expect((await buy(team('crew'), 'order-2')).processingReason).toBe('attributed');
    await expectVerified();
  });

  test('counts for the group’s own referral first', async () => {
    await share(person('eve'), 'eve');
    await signUp(team('crew'), { actor: person('bob'), refCode: 'eve' });
    const bought = await buy(team('crew'), 'order-1', { actor: person('bob') });
    expect(bought.attribution.referrerParticipantId).toBe(await findIdOf('eve'));
  });

  test('counts for nobody if the group itself referred its actor', async () => {
    await share(team('crew'), 'crew');
    await signUp(person('carl'), { refCode: 'crew' });
    await signUp(team('crew'));
    const bought = await buy(team('crew'), 'order-1', { actor: person('carl') });
    expect(bought).toMatchObject({ processingReason: 'self_referral', attribution: null });
    expect(await rewardsOf(bought.eventId)).toEqual([]);
    await expectVerified();
  });

  test('that outran the group’s signup waits for it, and leaves the group free to be referred (D-EVT-3)', async () => {
    await share(person('eve'), 'eve');
    const bought = await buy(team('crew'), 'order-1', { actor: person('bob') });
    expect(bought).toMatchObject({ processingState: 'pending', attribution: null });
    const signup = await signUp(team('crew'), { actor: person('bob'), refCode: 'eve' });
    expect(signup.processingReason).toBe('attributed');
    expect(await rewardsOf(bought.eventId)).toEqual(
      expect.arrayContaining([
        ['referrer', 'eve'],
        ['referee', 'crew'],
      ]),
    );
    await expectVerified();
  });

  test('that waited is decided by what is known of its actor when its time is up', async () => {
    const waiting = await buy(team('crew'), 'order-1', { actor: person('carl') });
    expect(waiting.processingState).toBe('pending');
    await signUp(person('carl'), { refCode: 'ada' });
    await letTimePass(DAY_MS);
    const { data } = (await shop.read(`/v1/events/${waiting.eventId}`)).body;
    expect(data.processingReason).toBe('attributed');
    await expectVerified();
  });

  test('is not credited if it lies too long before the referral (D-TRACK-6)', async () => {
    const occurredAt = addMs(service.clock.now, -2 * DAY_MS);
    await signUp(team('crew'), { actor: person('carl') });
    const bought = await buy(team('crew'), 'order-1', { actor: person('bob'), occurredAt });
    expect(bought.processingReason).toBe('attributed');
    expect(await rewardsOf(bought.eventId)).toEqual([]);
  });

  test('of a custom type counts likewise', async () => {
    await shop.post('/v1/benefit-rules', {
      programId: shop.programId,
      eventType: 'custom_upgrade',
      beneficiaryRole: 'referrer',
      name: 'Upgrade',
      terms: {
        benefitKind: 'credit',
        fixedAmountMinor: '100',
        currency: 'USD',
        currencyExponent: 2,
      },
    });
    const upgrade = { type: 'custom_upgrade', participant: team('crew'), actor: person('bob') };
    const { eventId } = await track({ ...upgrade, sourceEventId: 'upgrade-1' });
    expect(await rewardsOf(eventId)).toEqual([['referrer', 'ada']]);
    await expectVerified();
  });
});
