import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addMs, DAY_MS } from '../../src/platform/kit/instant.ts';
import { verifyProject } from '../../src/programs/verify/verify-all.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
let sourceNamespaceId: string;
let programId: string;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
/** Each test gets a copy of this one. */
let original: TestProject;
beforeAll(async () => {
  original = await service.newProject();
  project = original;
  sourceNamespaceId = (await write('/v1/sources', {})).body.sourceNamespaceId;
  programId = await newProgram('subscription');
});
beforeEach(async () => {
  project = await service.copyProject(original);
});

const person = (externalId: string) => ({ kind: 'individual', externalId });
const team = (externalId: string) => ({ kind: 'group', externalId });
const write = (path: string, body: object) =>
  service.call('POST', path, { as: project.key, body: { projectId: project.projectId, ...body } });
const read = (path: string, query: Record<string, string> = {}) =>
  service.call('GET', path, { as: project.key, query: { projectId: project.projectId, ...query } });

async function newProgram(bindingTrigger: string): Promise<string> {
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const { body } = await write('/v1/programs', { kind: 'referral', name: 'Invite', config });
  const id = body.data.id as string;
  await write(`/v1/programs/${id}/attribution-policies`, { bindingTrigger });
  await write(`/v1/programs/${id}/status`, { status: 'active' });
  await write('/v1/benefit-rules', {
    programId: id,
    eventType: 'purchase',
    beneficiaryRole: 'referrer',
    purpose: 'bonus',
    name: 'Thanks',
    terms: {
      benefitKind: 'cash',
      calculation: 'percentage',
      rateBps: 1_000,
      durationMode: 'forever',
    },
  });
  const slug = `ada-${bindingTrigger}`;
  await write('/v1/referral-links', { programId: id, participant: person('ada'), slug });
  return id;
}
const track = (body: object) => write('/v1/track/events', { sourceNamespaceId, ...body });
const buy = (externalId: string, sourceEventId: string, subscriptionId: string | null = null) =>
  track({
    type: 'purchase',
    participant: person(externalId),
    sourceEventId,
    purchase: { amountMinor: '1000', currency: 'USD', subscriptionId },
  });
const subscribe = (participant: object, more: object = {}) =>
  write('/v1/track/subscriptions', {
    sourceNamespaceId,
    sourceEventId: 'sub-1-started',
    participant,
    subscriptionId: 'sub-1',
    change: 'started',
    occurredAt: service.clock.now,
    ...more,
  });
const signUpWaiting = async (name: string) => {
  const { body } = await track({
    type: 'signup',
    participant: person(name),
    refCode: 'ada-subscription',
  });
  expect(body.processingReason).toBe('awaiting_subscription');
  return body;
};
const eventOf = async (sourceEventId: string) => {
  const { data } = (await read('/v1/events')).body;
  return data.find((event: { sourceEventId: string }) => event.sourceEventId === sourceEventId);
};
/** By the Project's clock, which decides what comes due. */
const letTimePass = async (ms: number) => {
  const now = addMs(service.clock.now, ms);
  await service.call('PUT', `/v1/projects/${project.projectId}/clock`, {
    as: project.key,
    body: { now },
  });
};
const expectVerified = async () =>
  expect((await verifyProject(service.database, project.projectId)).kept).toEqual([]);
/** A browser that followed a link: its handle. */
async function click(ref: string): Promise<string> {
  const { body } = await service.call('POST', '/v1/clicks', {
    body: { projectKey: project.projectKey, ref },
  });
  return body.handle;
}

describe('the start of a subscription', () => {
  test('binds what the signup left unbound, and purchases earn from then on (D-SUB-1)', async () => {
    const handle = await click('ada-subscription');
    const signup = await track({
      type: 'signup',
      participant: person('bob'),
      identify: { handle },
    });
    expect(signup.body).toMatchObject({
      identified: true,
      processingReason: 'awaiting_subscription',
      attribution: null,
    });
    const { status, body } = await subscribe(person('bob'), { planKey: 'pro' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      participantId: signup.body.participantId,
      subscriptionId: 'sub-1',
      change: 'started',
      planKey: 'pro',
      periodStart: null,
      periodEnd: null,
      reason: 'attributed',
      candidates: [{ verdict: 'selected', reason: null, programId }],
    });
    expect(body.attribution.programId).toBe(programId);
    const referral = await read(`/v1/referrals/${body.attribution.referralId}`);
    expect(referral.body.data).toMatchObject({
      bindingEventId: null,
      bindingSubscriptionFactId: body.data.id,
      bindingOccurredAt: service.clock.now,
    });
    expect((await read(`/v1/subscription-facts/${body.data.id}`)).body.data).toEqual(body.data);
    const { events } = (await read('/v1/webhook-events', { limit: '500' })).body;
    expect(events.at(-1)).toMatchObject({
      type: 'referral.created',
      data: {
        referral: {
          bindingEventId: null,
          bindingSubscriptionFactId: body.data.id,
          referee: { externalId: 'bob' },
        },
      },
    });
    const purchase = await buy('bob', 'order-1');
    expect(purchase.body.processingReason).toBe('attributed');
    const rewards = await read('/v1/rewards', { eventId: purchase.body.eventId });
    expect(rewards.body.data).toMatchObject([{ money: { amountMinor: '100' } }]);
  });

  test('told again returns the first answer and binds nothing more', async () => {
    await track({ type: 'signup', participant: person('bob'), refCode: 'ada-subscription' });
    const first = await subscribe(person('bob'));
    expect((await subscribe(person('bob'))).body).toEqual(first.body);
    const second = await subscribe(person('bob'), { sourceEventId: 'sub-2-started' });
    expect(second.body).toMatchObject({ data: { reason: 'not_applicable' }, attribution: null });
    const other = await subscribe(person('bob'), { planKey: 'basic' });
    expect([other.status, other.body.error.reason]).toEqual([409, 'event_facts_differ']);
  });

  test('counts a code typed at signup before every click, also later ones', async () => {
    await write('/v1/referral-links', { programId, participant: person('eve'), slug: 'eve' });
    const typed = await track({
      type: 'signup',
      participant: person('bob'),
      refCode: 'ada-subscription',
    });
    expect(typed.body).toMatchObject({
      refCode: { accepted: true, reason: null },
      processingReason: 'awaiting_subscription',
    });
    service.clock.advance(60_000);
    const handle = await click('eve');
    await write('/v1/identify', { handle, participant: person('bob') });
    const { body } = await subscribe(person('bob'));
    const ada = await read('/v1/participants', { externalId: 'ada' });
    expect(body.attribution.referrerParticipantId).toBe(ada.body.data[0].id);
    expect(body.data.candidates).toMatchObject([
      { verdict: 'selected' },
      { verdict: 'rejected', reason: 'outranked' },
    ]);
  });

  test('of a group counts the clicks of whoever created it', async () => {
    const handle = await click('ada-subscription');
    await track({
      type: 'signup',
      participant: team('acme'),
      actor: person('bob'),
      identify: { handle },
    });
    const { body } = await subscribe(team('acme'));
    expect(body.data.reason).toBe('attributed');
  });

  test('of a group counts a code that whoever created it typed when they signed up (D-ATTR-7)', async () => {
    await signUpWaiting('bob');
    const signup = await track({
      type: 'signup',
      participant: team('acme'),
      actor: person('bob'),
    });
    expect(signup.body.processingReason).toBe('awaiting_subscription');
    const { body } = await subscribe(team('acme'));
    expect(body.data.reason).toBe('attributed');
    const { data } = (await read(`/v1/events/${signup.body.eventId}`)).body;
    expect(data.processingReason).toBe('attributed');
    await expectVerified();
  });

  test('counts for a milestone once, also if its signup is reported after others reached it (D-TIER-3)', async () => {
    const milestone = { measure: 'referrals', at: '2', repeat: true };
    await write('/v1/benefit-rules', {
      programId,
      eventType: 'signup',
      beneficiaryRole: 'referrer',
      purpose: 'bonus',
      name: 'Each two',
      terms: {
        benefitKind: 'cash',
        calculation: 'milestone',
        fixedAmountMinor: '500',
        currency: 'USD',
        currencyExponent: 2,
        milestone,
      },
    });
    const handle = await click('ada-subscription');
    await track({ type: 'custom_visit', sourceEventId: 'visit', participant: person('bob') });
    await write('/v1/identify', { handle, participant: person('bob') });
    expect((await subscribe(person('bob'))).body.data.reason).toBe('attributed');
    await signUpWaiting('carl');
    const later = { subscriptionId: 'sub-2', sourceEventId: 'sub-2-started' };
    await subscribe(person('carl'), later);
    const { status, body } = await track({ type: 'signup', participant: person('bob') });
    expect([status, body.processingReason]).toEqual([200, 'attributed']);
    expect((await read('/v1/rewards')).body.data).toMatchObject([{ milestone: { at: '2' } }]);
    await expectVerified();
  });

  test('binds nothing for a Program that binds at signup', async () => {
    await newProgram('signup');
    const handle = await click('ada-signup');
    await write('/v1/identify', { handle, participant: person('bob') });
    const { body } = await subscribe(person('bob'));
    expect(body).toMatchObject({ attribution: null, data: { reason: 'not_applicable' } });
  });

  test('is not spoiled by purchases since a signup that waits for it', async () => {
    await signUpWaiting('bob');
    await buy('bob', 'order-1');
    await letTimePass(DAY_MS);
    expect((await eventOf('order-1')).processingState).toBe('processed');
    expect((await subscribe(person('bob'))).body.data.reason).toBe('attributed');
  });

  test('is not spoiled by its own invoices', async () => {
    for (const [name, subscriptionId] of [
      ['carol', 'sub-2'],
      ['dave', null],
    ] as const) {
      await track({ type: 'signup', participant: person(name) });
      const bought = await buy(name, `invoice-${name}`, subscriptionId);
      expect(bought.body.processingReason).toBe('no_referral');
      const handle = await click('ada-subscription');
      await write('/v1/identify', { handle, participant: person(name) });
    }
    const start = (name: string) =>
      subscribe(person(name), { sourceEventId: `${name}-started`, subscriptionId: 'sub-2' });
    expect((await start('carol')).body.data.reason).toBe('attributed');
    expect((await start('dave')).body.data.reason).toBe('existing_customer');
  });

  test('decides at once what waited for a signup (D-EVT-3)', async () => {
    const handle = await click('ada-subscription');
    await write('/v1/identify', { handle, participant: person('bob') });
    const purchase = await buy('bob', 'order-1', 'sub-1');
    expect(purchase.body.processingState).toBe('pending');
    await subscribe(person('bob'));
    const event = await read(`/v1/events/${purchase.body.eventId}`);
    expect(event.body.data).toMatchObject({
      processingState: 'processed',
      processingReason: 'attributed',
    });
    const rewards = await read('/v1/rewards', { eventId: purchase.body.eventId });
    expect(rewards.body.data).toMatchObject([{ money: { amountMinor: '100' } }]);
  });

  test('belongs to a code that was typed at signup, whatever was clicked (contract rule 3)', async () => {
    await newProgram('signup');
    const handle = await click('ada-signup');
    const signup = await track({
      type: 'signup',
      participant: person('bob'),
      refCode: 'ada-subscription',
      identify: { handle },
    });
    expect(signup.body).toMatchObject({
      processingReason: 'awaiting_subscription',
      attribution: null,
      refCode: { accepted: true },
    });
    const explanation = await read(`/v1/events/${signup.body.eventId}/explanation`);
    expect(explanation.body.data.candidates).toMatchObject([
      { verdict: 'rejected', reason: 'awaiting_subscription' },
      { verdict: 'rejected', reason: 'outranked' },
    ]);
    const { body } = await subscribe(person('bob'));
    expect(body.attribution.programId).toBe(programId);
  });

  test('stands: a signup after it selects nobody else, and says so', async () => {
    await newProgram('signup');
    const handle = await click('ada-subscription');
    await write('/v1/identify', { handle, participant: person('bob') });
    const { body: started } = await subscribe(person('bob'));
    const signup = await track({
      type: 'signup',
      participant: person('bob'),
      refCode: 'ada-signup',
    });
    expect(signup.body.attribution).toEqual(started.attribution);
    const explanation = await read(`/v1/events/${signup.body.eventId}/explanation`);
    expect(explanation.body.data.candidates[0]).toMatchObject({
      verdict: 'rejected',
      reason: 'already_referred',
    });
    expect(signup.body.refCode).toEqual({ accepted: false, reason: 'already_referred' });
  });

  test('does not count clicks that came after it', async () => {
    await track({ type: 'signup', participant: person('bob') });
    const startedAt = service.clock.now;
    service.clock.advance(300_001);
    const handle = await click('ada-subscription');
    await write('/v1/identify', { handle, participant: person('bob') });
    const { body } = await subscribe(person('bob'), { occurredAt: startedAt });
    expect(body.data).toMatchObject({ reason: 'no_candidate', candidates: [] });
  });
});

describe('a signup that waits for its subscription (D-EVT-3, D-SUB-1)', () => {
  beforeEach(async () => {
    for (const beneficiaryRole of ['referrer', 'referee']) {
      await write('/v1/benefit-rules', {
        programId,
        eventType: 'signup',
        beneficiaryRole,
        name: 'Welcome',
        terms: {
          benefitKind: 'credit',
          fixedAmountMinor: '500',
          currency: 'USD',
          currencyExponent: 2,
        },
      });
    }
  });

  test('leaves purchases waiting, and the start credits them and applies the signup rules', async () => {
    const { eventId } = await signUpWaiting('bob');
    const bought = await buy('bob', 'invoice-1', 'sub-1');
    expect(bought.body).toMatchObject({
      processingState: 'pending',
      processingReason: 'awaiting_attribution',
      attribution: null,
    });
    expect((await eventOf('invoice-1')).nextAttemptAt).toBe(addMs(service.clock.now, DAY_MS));
    await subscribe(person('bob'));
    expect(await eventOf('invoice-1')).toMatchObject({
      processingState: 'processed',
      processingReason: 'attributed',
    });
    const { data: rewards } = (await read('/v1/rewards', { eventId })).body;
    expect(rewards).toHaveLength(2);
    const { data: why } = (await read(`/v1/events/${eventId}/explanation`)).body;
    expect(why.candidates).toMatchObject([{ verdict: 'selected', programId }]);
    expect(why.rules).toMatchObject([{ verdict: 'earned' }, { verdict: 'earned' }]);
    expect((await read(`/v1/events/${eventId}`)).body.data.processingReason).toBe('attributed');
    const { events } = (await read('/v1/webhook-events', { limit: '500' })).body;
    const types = events.slice(-5).map(({ type }: { type: string }) => type);
    expect(types).toEqual([
      'referral.created',
      'reward.earned',
      'reward.earned',
      'event.recorded',
      'reward.earned',
    ]);
    await expectVerified();
  });

  test('leaves those waiting that came before it', async () => {
    await buy('bob', 'invoice-1', 'sub-1');
    await signUpWaiting('bob');
    expect((await eventOf('invoice-1')).processingState).toBe('pending');
    await subscribe(person('bob'));
    expect((await eventOf('invoice-1')).processingReason).toBe('attributed');
    await expectVerified();
  });

  test('is settled at once by a start that was reported before it, as if they had come in order', async () => {
    const started = await subscribe(person('bob'));
    expect(started.body.data.reason).toBe('no_candidate');
    await buy('bob', 'invoice-1', 'sub-1');
    const signup = await track({
      type: 'signup',
      participant: person('bob'),
      refCode: 'ada-subscription',
    });
    expect(signup.body).toMatchObject({
      processingReason: 'attributed',
      attribution: { programId },
      refCode: { accepted: true, reason: null },
    });
    const { id } = started.body.data;
    const referral = await read(`/v1/referrals/${signup.body.attribution.referralId}`);
    expect(referral.body.data).toMatchObject({
      bindingEventId: null,
      bindingSubscriptionFactId: id,
    });
    expect((await read(`/v1/subscription-facts/${id}`)).body.data).toMatchObject({
      reason: 'attributed',
      candidates: [{ verdict: 'selected' }],
    });
    expect((await eventOf('invoice-1')).processingReason).toBe('attributed');
    const { eventId } = signup.body;
    expect((await read('/v1/rewards', { eventId })).body.data).toHaveLength(2);
    expect((await subscribe(person('bob'))).body).toEqual(started.body);
    await expectVerified();
  });

  test('earns once, however often its start is told, and keeps its first answer', async () => {
    const signup = await signUpWaiting('bob');
    await subscribe(person('bob'));
    await subscribe(person('bob'));
    await subscribe(person('bob'), { sourceEventId: 'other-id' });
    expect((await read('/v1/rewards')).body.data).toHaveLength(2);
    expect(await signUpWaiting('bob')).toEqual(signup);
    await expectVerified();
  });

  test('earns by the terms of its own time, and once for a person with several groups (D-ATTR-8)', async () => {
    const bob = { actor: person('bob'), refCode: 'ada-subscription' };
    const [one, two] = [
      await track({ type: 'signup', participant: team('one'), ...bob }),
      await track({ type: 'signup', participant: team('two'), ...bob }),
    ];
    const rules = (await read(`/v1/programs/${programId}/benefit-rules`)).body.data;
    service.clock.advance(1);
    for (const rule of rules.filter((rule: { eventType: string }) => rule.eventType === 'signup')) {
      const terms = { benefitKind: 'credit', currency: 'USD', currencyExponent: 2 };
      await write(`/v1/benefit-rules/${rule.id}/terms`, {
        terms: { ...terms, fixedAmountMinor: '1' },
      });
    }
    await subscribe(team('one'));
    await subscribe(team('two'), { sourceEventId: 'sub-2-started', subscriptionId: 'sub-2' });
    const earned = await read('/v1/rewards', { eventId: one.body.eventId });
    expect(earned.body.data).toMatchObject([
      { money: { amountMinor: '500' } },
      { money: { amountMinor: '500' } },
    ]);
    const why = await read(`/v1/events/${two.body.eventId}/explanation`);
    expect(why.body.data.rules).toMatchObject([
      { reason: 'already_earned' },
      { reason: 'already_earned' },
    ]);
    await expectVerified();
  });

  test('takes its step by the window around its own day, with its own referral (D-TIER-2)', async () => {
    await write('/v1/benefit-rules', {
      programId,
      eventType: 'signup',
      beneficiaryRole: 'referrer',
      purpose: 'bonus',
      name: 'More for the second friend',
      terms: {
        benefitKind: 'credit',
        currency: 'USD',
        currencyExponent: 2,
        tiers: {
          measure: 'referrals',
          window: 'rolling_30_days',
          steps: [
            { from: '0', fixedAmountMinor: '10' },
            { from: '2', fixedAmountMinor: '20' },
          ],
        },
      },
    });
    await signUpWaiting('bob');
    await subscribe(person('bob'));
    const { eventId } = await signUpWaiting('carol');
    const later = 40 * DAY_MS;
    await letTimePass(later);
    await subscribe(person('carol'), {
      sourceEventId: 'sub-2-started',
      subscriptionId: 'sub-2',
      occurredAt: addMs(service.clock.now, later),
    });
    const { data } = (await read('/v1/rewards', { eventId })).body;
    const tier = { measure: 'referrals', window: 'rolling_30_days', value: '2', from: '2' };
    expect(data).toContainEqual(
      expect.objectContaining({
        money: expect.objectContaining({ amountMinor: '20' }),
        tier: expect.objectContaining(tier),
      }),
    );
    await expectVerified();
  });

  test('has its purchases decided when the start binds nobody, and waits no longer', async () => {
    const { eventId } = await signUpWaiting('bob');
    await buy('bob', 'invoice-1', 'sub-1');
    const ada = await read('/v1/participants', { externalId: 'ada' });
    const { data } = (await read(`/v1/participants/${ada.body.data[0].id}`)).body;
    await write(`/v1/enrollments/${data.enrollments[0].id}/end`, {});
    const { body } = await subscribe(person('bob'));
    expect(body).toMatchObject({ attribution: null, data: { reason: 'enrollment_not_active' } });
    expect(await eventOf('invoice-1')).toMatchObject({
      processingState: 'processed',
      processingReason: 'no_referral',
    });
    const { data: signup } = (await read(`/v1/events/${eventId}`)).body;
    expect(signup.processingReason).toBe('enrollment_not_active');
    expect((await buy('bob', 'invoice-2', 'sub-1')).body.processingReason).toBe('no_referral');
    await expectVerified();
  });

  test('waits on when a start from before it is reported late and binds nobody', async () => {
    const { eventId } = await signUpWaiting('bob');
    await buy('bob', 'invoice-1', 'sub-1');
    const old = { sourceEventId: 'sub-0-started', subscriptionId: 'sub-0' };
    const occurredAt = addMs(service.clock.now, -20 * DAY_MS);
    const { body } = await subscribe(person('bob'), { ...old, occurredAt });
    expect(body).toMatchObject({ attribution: null, data: { reason: 'no_candidate' } });
    expect((await eventOf('invoice-1')).processingState).toBe('pending');
    await subscribe(person('bob'));
    expect((await eventOf('invoice-1')).processingReason).toBe('attributed');
    expect((await read('/v1/rewards', { eventId })).body.data).toHaveLength(2);
    await expectVerified();
  });

  test('waits also when a later click is no good and its reason is shown', async () => {
    const other = await newProgram('signup');
    const handle = await click('ada-subscription');
    service.clock.advance(1_000);
    await service.call('POST', '/v1/clicks', {
      body: { projectKey: project.projectKey, ref: 'ada-signup', handle },
    });
    await write(`/v1/programs/${other}/status`, { status: 'paused' });
    service.clock.advance(1_000);
    const signup = await track({
      type: 'signup',
      participant: person('bob'),
      identify: { handle },
    });
    expect(signup.body.processingReason).toBe('program_not_active');
    expect((await buy('bob', 'invoice-1', 'sub-1')).body.processingState).toBe('pending');
    expect((await subscribe(person('bob'))).body.attribution.programId).toBe(programId);
    expect((await eventOf('invoice-1')).processingReason).toBe('attributed');
    const { eventId } = signup.body;
    expect((await read('/v1/rewards', { eventId })).body.data).toHaveLength(2);
    expect((await read(`/v1/events/${eventId}`)).body.data.processingReason).toBe('attributed');
    await expectVerified();
  });

  test('that is never followed by a start leaves its purchases without a referral after a day', async () => {
    await signUpWaiting('bob');
    await buy('bob', 'invoice-1', 'sub-1');
    await letTimePass(DAY_MS);
    expect(await eventOf('invoice-1')).toMatchObject({
      processingState: 'processed',
      processingReason: 'no_referral',
    });
    await expectVerified();
  });

  test('leaves purchases waiting however long ago it was', async () => {
    await signUpWaiting('bob');
    await letTimePass(30 * DAY_MS);
    expect((await buy('bob', 'invoice-1', 'sub-1')).body.processingState).toBe('pending');
  });

  test('a purchase that was refunded while it waited is credited with what is left', async () => {
    await signUpWaiting('bob');
    const { body } = await buy('bob', 'invoice-1', 'sub-1');
    await write('/v1/track/adjustments', {
      sourceNamespaceId,
      sourceEventId: 'refund-1',
      purchase: { sourceEventId: 'invoice-1' },
      kind: 'refund',
      amountMinor: '400',
      currency: 'USD',
      currencyExponent: 2,
      occurredAt: service.clock.now,
    });
    await subscribe(person('bob'));
    const rewards = await read('/v1/rewards', { eventId: body.eventId });
    expect(rewards.body.data).toMatchObject([{ money: { netAmountMinor: '60' } }]);
    await expectVerified();
  });

  test('of somebody who was erased meanwhile earns nothing', async () => {
    const { participantId } = await signUpWaiting('bob');
    await buy('bob', 'invoice-1', 'sub-1');
    await service.call('DELETE', `/v1/participants/${participantId}`, {
      as: project.key,
      query: { projectId: project.projectId },
    });
    const { body } = await subscribe(person('bob'));
    expect(body.error.reason).toBe('participant_deleted');
    await letTimePass(DAY_MS);
    expect((await read('/v1/rewards')).body.data).toEqual([]);
    expect((await eventOf('invoice-1')).processingState).toBe('processed');
    await expectVerified();
  });

  test('comes before a referral of the group’s creator, which counts if the start binds nobody', async () => {
    await newProgram('signup');
    await track({ type: 'signup', participant: person('bob'), refCode: 'ada-signup' });
    await write('/v1/referral-links', { programId, participant: person('eve'), slug: 'eve' });
    const bob = { actor: person('bob') };
    await track({ type: 'signup', participant: team('acme'), ...bob, refCode: 'eve' });
    const bought = await track({
      type: 'purchase',
      participant: team('acme'),
      sourceEventId: 'invoice-1',
      purchase: { amountMinor: '1000', currency: 'USD' },
    });
    expect(bought.body.processingState).toBe('pending');
    await letTimePass(DAY_MS);
    const rewards = await read('/v1/rewards', { eventId: bought.body.eventId });
    expect(rewards.body.data).toMatchObject([{ beneficiary: { externalId: 'ada' } }]);
    await expectVerified();
  });
});

describe('a group’s purchase while somebody else’s signup waits for its subscription (D-EVT-3, D-AM-2)', () => {
  test.each(['actor', 'creator'])(
    'its %s’s: waits as their own would, and the start decides it',
    async (role) => {
      const creator = role === 'creator' ? 'bob' : 'carl';
      await track({ type: 'signup', participant: team('acme'), actor: person(creator) });
      await signUpWaiting('bob');
      const { body } = await track({
        type: 'purchase',
        participant: team('acme'),
        actor: person(role === 'actor' ? 'bob' : 'dora'),
        sourceEventId: 'invoice-1',
        purchase: { amountMinor: '1000', currency: 'USD' },
      });
      expect(body).toMatchObject({
        processingState: 'pending',
        processingReason: 'awaiting_attribution',
      });
      await subscribe(person('bob'));
      expect((await eventOf('invoice-1')).processingReason).toBe('attributed');
      const rewards = await read('/v1/rewards', { eventId: body.eventId });
      expect(rewards.body.data).toMatchObject([{ beneficiary: { externalId: 'ada' } }]);
      await expectVerified();
    },
  );
});

test.each(['renewed', 'changed', 'cancelled', 'ended'])(
  'a subscription that was %s is recorded and binds nothing',
  async (change) => {
    await track({ type: 'signup', participant: person('bob'), refCode: 'ada-subscription' });
    const period = {
      periodStart: '2026-11-01T00:00:00.000Z',
      periodEnd: '2026-12-01T00:00:00.000Z',
    };
    const { body } = await subscribe(person('bob'), { change, ...period });
    expect(body).toMatchObject({
      attribution: null,
      data: { change, ...period, reason: 'not_applicable', candidates: [] },
    });
  },
);

test('a subscription of somebody unknown makes them known', async () => {
  const { body } = await subscribe(person('zoe'));
  expect(body.data.reason).toBe('no_candidate');
  const zoe = await read('/v1/participants', { externalId: 'zoe' });
  expect(zoe.body.data).toMatchObject([{ id: body.data.participantId, isReferee: false }]);
});

test.each([
  ['an unknown change', { change: 'paused' }, 400],
  ['no subscription', { subscriptionId: undefined }, 400],
  ['a blank subscription', { subscriptionId: ' ' }, 400],
  ['no time', { occurredAt: undefined }, 400],
  ['a future time', { occurredAt: '2027-11-15T09:35:00.001Z' }, 400],
  [
    'a period that ends before it starts',
    { periodStart: '2026-11-02T00:00:00Z', periodEnd: '2026-11-01T00:00:00Z' },
    400,
  ],
  ['an unknown field', { plan: 'pro' }, 400],
  ['an unknown source', { sourceNamespaceId: 'src_none' }, 404],
])('%s is refused, and nobody is made', async (_, more, status) => {
  const answer = await subscribe(person('nobody'), more);
  expect(answer.status).toBe(status);
  expect((await read('/v1/participants', { externalId: 'nobody' })).body.data).toEqual([]);
});

test('erasing somebody empties what their subscriptions told', async () => {
  const { body } = await subscribe(person('bob'), { planKey: 'pro' });
  const { participantId, id } = body.data;
  const erased = await service.call('DELETE', `/v1/participants/${participantId}`, {
    as: project.key,
    query: { projectId: project.projectId },
  });
  expect(erased.status).toBe(200);
  const { data } = (await read(`/v1/subscription-facts/${id}`)).body;
  expect(data).toMatchObject({ participantId, factsHash: '', planKey: null });
  expect((await subscribe(person('bob'), { planKey: 'pro' })).body.error.reason).toBe(
    'participant_deleted',
  );
});
