import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTracker } from '../../src/domain/tracking/batch/track-event.ts';
import { decideDueOnce } from '../../src/domain/tracking/due/worker.ts';
import { listAccounts } from '../../src/outbound/payouts/details/account-queries.ts';
import { makeNewId } from '../../src/platform/kit/ids.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { openService, ROOT_KEY, type TestProject, type TestService } from '../harness.ts';

let service: TestService;
let project: TestProject;
let sourceNamespaceId: string;
let programId: string;

beforeAll(async () => {
  service = await openService();
  project = await service.newProject();
  sourceNamespaceId = (await write('/v1/sources', {})).body.sourceNamespaceId;
  programId = await newProgram('referral');
  await newRule(programId, 'signup', 'referrer', {
    benefitKind: 'credit',
    fixedAmountMinor: '1000',
    currency: 'USD',
    currencyExponent: 2,
  });
  await newRule(programId, 'signup', 'referee', { benefitKind: 'discount', rateBps: 2000 });
  await newRule(programId, 'purchase', 'referrer', {
    benefitKind: 'cash',
    calculation: 'percentage',
    rateBps: 1000,
    durationMode: 'forever',
  });
  await write('/v1/referral-links', { programId, participant: person('ada'), slug: 'ada' });
});
afterAll(() => service.close());

const person = (externalId: string) => ({ kind: 'individual', externalId });

const write = (path: string, body: object) =>
  service.call('POST', path, { as: project.key, body: { projectId: project.projectId, ...body } });

const read = (path: string, query: Record<string, string> = {}) =>
  service.call('GET', path, { as: project.key, query: { projectId: project.projectId, ...query } });

async function newProgram(kind: string): Promise<string> {
  const made = await write('/v1/programs', {
    kind,
    name: kind,
    ...(kind === 'loyalty'
      ? {}
      : { config: { brandConfig: { landingPageUrl: 'https://example.com/' } } }),
  });
  await write(`/v1/programs/${made.body.data.id}/status`, { status: 'active' });
  return made.body.data.id;
}

async function newRule(program: string, eventType: string, beneficiaryRole: string, terms: object) {
  const made = await write('/v1/benefit-rules', {
    programId: program,
    eventType,
    beneficiaryRole,
    name: `${beneficiaryRole} of ${eventType}`,
    terms,
  });
  expect(made.status).toBe(200);
}

const signup = (externalId: string, rest: object = {}) =>
  write('/v1/track/events', {
    sourceNamespaceId,
    type: 'signup',
    participant: person(externalId),
    ...rest,
  });

const purchase = (externalId: string, sourceEventId: string, amountMinor = '5000', rest = {}) =>
  write('/v1/track/events', {
    sourceNamespaceId,
    type: 'purchase',
    participant: person(externalId),
    sourceEventId,
    purchase: { amountMinor, currency: 'usd', ...rest },
  });

const eventsOf = async (participantId: string) => {
  const seen: { type: string; data: Record<string, Record<string, unknown>> }[] = [];
  for (let after: string | undefined; ; ) {
    const { body } = await read('/v1/webhook-events', {
      limit: '500',
      ...(after ? { after } : {}),
    });
    seen.push(...body.events);
    if (body.events.length === 0) break;
    after = body.next;
  }
  return seen.filter((event) => JSON.stringify(event.data).includes(participantId));
};

describe('a signup with a code', () => {
  test('binds a referral, rewards both sides and tells it all in order', async () => {
    const { status, body } = await signup('bob', { refCode: ' ADA ' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      identified: false,
      processingState: 'processed',
      processingReason: 'attributed',
      attribution: { programId },
      refCode: { accepted: true, reason: null },
    });
    const told = await eventsOf(body.participantId);
    expect(told.map((event) => event.type)).toEqual([
      'participant.created',
      'event.recorded',
      'referral.created',
      'reward.earned',
    ]);
    const referral = await read(`/v1/referrals/${body.attribution.referralId}`);
    expect(referral.body.data).toMatchObject({
      refereeParticipantId: body.participantId,
      bindingEventId: body.eventId,
      bindingSubscriptionFactId: null,
    });
    const rewards = await read('/v1/rewards', { eventId: body.eventId });
    const byRole = Object.fromEntries(
      rewards.body.data.map((one: { beneficiaryRole: string }) => [one.beneficiaryRole, one]),
    );
    expect(byRole.referrer).toMatchObject({
      benefitKind: 'credit',
      money: { amountMinor: '1000', netAmountMinor: '1000', currency: 'USD', currencyExponent: 2 },
      fulfillmentStatus: 'pending',
      delivery: { method: 'operator', status: 'pending', reason: 'awaiting_operator' },
    });
    expect(byRole.referee).toMatchObject({ discount: { rateBps: 2000 } });
  });

  test('again returns the first answer and does nothing', async () => {
    const first = await signup('carol', { refCode: 'ada' });
    const again = await signup('carol', { refCode: 'nobody', sourceEventId: 'other' });
    expect(again.body).toEqual(first.body);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => signup('dave', { refCode: 'ada' })),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    const rewards = await read('/v1/rewards', { eventId: answers[0]?.body.eventId });
    expect(rewards.body.data).toHaveLength(2);
  });

  test.each([
    ['', 'empty'],
    ['nobody', 'unknown'],
    ['x'.repeat(200), 'too_long'],
  ])('%s does not fail it: %s', async (refCode, reason) => {
    const { status, body } = await signup(`code-${reason}`, { refCode });
    expect(status).toBe(200);
    expect(body.refCode).toEqual({ accepted: false, reason });
    expect(body).toMatchObject({ attribution: null, processingReason: 'no_candidate' });
  });

  test('of one’s own earns nothing', async () => {
    await write('/v1/referral-links', { programId, participant: person('eve'), slug: 'eve' });
    const { body } = await signup('eve', { refCode: 'eve' });
    expect(body).toMatchObject({ attribution: null, processingReason: 'self_referral' });
    const { body: why } = await read(`/v1/events/${body.eventId}/explanation`);
    expect(why.data.candidates).toMatchObject([{ verdict: 'rejected', reason: 'self_referral' }]);
  });
});

describe('a purchase', () => {
  test('uses the referral of its person', async () => {
    await signup('frank', { refCode: 'ada' });
    const { body } = await purchase('frank', 'order-1', '12345');
    expect(body).toMatchObject({ processingState: 'processed', processingReason: 'attributed' });
    const { body: why } = await read(`/v1/events/${body.eventId}/explanation`);
    expect(why.data.rules).toMatchObject([
      {
        verdict: 'earned',
        calculation: { base: '12345', rateBps: 1000, rounding: 'half_up', result: '1235' },
      },
    ]);
  });

  test('again with the same facts is the same, with others a conflict', async () => {
    const first = await purchase('frank', 'order-2');
    expect((await purchase('frank', 'order-2')).body).toEqual(first.body);
    const other = await purchase('frank', 'order-2', '1');
    expect([other.status, other.body.error.reason]).toEqual([409, 'event_facts_differ']);
  });

  test('of an invoice that was counted earns nothing', async () => {
    await purchase('frank', 'order-3', '5000', { invoiceId: 'inv-1' });
    const { body } = await purchase('frank', 'order-4', '5000', { invoiceId: 'inv-1' });
    expect(body.processingReason).toBe('duplicate_invoice');
    expect((await read('/v1/rewards', { eventId: body.eventId })).body.data).toEqual([]);
  });

  test('that outran its signup waits for it, and is decided with it', async () => {
    const early = await purchase('grace', 'order-5', '2000');
    expect(early.body).toMatchObject({
      processingState: 'pending',
      processingReason: 'awaiting_attribution',
      attribution: null,
    });
    await signup('grace', { refCode: 'ada' });
    const { body } = await read(`/v1/events/${early.body.eventId}`);
    expect(body.data).toMatchObject({
      processingState: 'processed',
      processingReason: 'attributed',
    });
    const rewards = await read('/v1/rewards', { eventId: early.body.eventId });
    expect(rewards.body.data).toMatchObject([{ money: { amountMinor: '200' } }]);
  });
});

describe('a purchase whose signup never comes', () => {
  test('is decided when its day is over, once, and earns nothing', async () => {
    const { body } = await purchase('heidi', 'order-6', '2000');
    expect(body.processingState).toBe('pending');
    const worker = {
      database: service.database,
      writer: service.writer,
      onFailure: (error: unknown) => expect(error).toBeUndefined(),
      tracker: makeTracker({
        writer: service.writer,
        keyring: createKeyring(ROOT_KEY),
        listAccounts,
        onFailure: () => undefined,
      }),
      clock: service.clock,
      newId: makeNewId(service.clock.nowMs),
    };
    service.clock.advance(24 * 3_600_000 - 1);
    expect(await decideDueOnce(worker)).toBe(0);
    service.clock.advance(1);
    expect(await decideDueOnce(worker)).toBe(1);
    expect(await decideDueOnce(worker)).toBe(0);
    const event = await read(`/v1/events/${body.eventId}`);
    expect(event.body.data).toMatchObject({
      processingState: 'processed',
      processingReason: 'no_signup',
      attemptCount: 1,
      nextAttemptAt: null,
    });
    expect((await read('/v1/rewards', { eventId: body.eventId })).body.data).toEqual([]);
    // It is a customer now: a referral that comes later is none.
    const late = await signup('heidi', { refCode: 'ada' });
    expect(late.body.processingReason).toBe('existing_customer');
  });
});

describe('a purchase that waits', () => {
  test('says no_referral when the signup came without one', async () => {
    const early = await purchase('kim', 'order-7');
    await signup('kim');
    const { body } = await read(`/v1/events/${early.body.eventId}`);
    expect(body.data.processingReason).toBe('no_referral');
  });

  test('is no customer for a second Event about its invoice', async () => {
    await purchase('lea', 'order-8', '100', { invoiceId: 'inv-8' });
    await purchase('lea', 'order-9', '100', { invoiceId: 'inv-8' });
    const { body } = await signup('lea', { refCode: 'ada' });
    expect(body.processingReason).toBe('attributed');
  });
});

test('erasing somebody empties what their facts said, in the store and in the feed', async () => {
  const participant = person('mia');
  const sent = {
    sourceNamespaceId,
    type: 'custom_visit',
    participant,
    sourceEventId: 'visit-1',
    properties: { phone: '555-0199' },
  };
  const { body } = await write('/v1/track/events', sent);
  expect(JSON.stringify(await eventsOf(body.participantId))).toContain('555-0199');
  await service.call('DELETE', `/v1/participants/${body.participantId}`, {
    as: project.key,
    query: { projectId: project.projectId },
  });
  expect(JSON.stringify(await eventsOf(body.participantId))).not.toContain('555-0199');
  const event = await read(`/v1/events/${body.eventId}`);
  expect(event.body.data.normalizedFacts).toEqual({ purchase: null, properties: {} });
  const again = await write('/v1/track/events', sent);
  expect([again.status, again.body.error.reason]).toEqual([409, 'participant_deleted']);
});

describe('a group', () => {
  const group = (externalId: string) => ({ kind: 'group', externalId });
  test('is credited to whoever referred its creator, and pays for that person once (D-ATTR-7, D-ATTR-8)', async () => {
    await signup('ivan', { refCode: 'ada' });
    const team = await write('/v1/track/events', {
      sourceNamespaceId,
      type: 'signup',
      participant: group('ivans-team'),
      actor: person('ivan'),
    });
    expect(team.body).toMatchObject({ processingReason: 'attributed' });
    const why = await read(`/v1/events/${team.body.eventId}/explanation`);
    expect(why.body.data.rules.map((rule: { reason: string }) => rule.reason)).toEqual([
      'already_earned',
      'already_earned',
    ]);
  });
});

test('a participant’s page shows who brought them, whom they brought and what they did', async () => {
  const { body } = await signup('judy', { refCode: 'ada' });
  const judy = await read(`/v1/participants/${body.participantId}`);
  expect(judy.body.data.referredBy.id).toBe(body.attribution.referralId);
  expect(judy.body.data.events.map((event: { id: string }) => event.id)).toEqual([body.eventId]);
  const ada = await read(`/v1/participants/${body.attribution.referrerParticipantId}`);
  expect(ada.body.data.referrals[0].id).toBe(body.attribution.referralId);
  const list = await read('/v1/events');
  expect(list.body.data[0].id).toBe(body.eventId);
});

describe('bad input', () => {
  test.each([
    ['an empty identify', { identify: {} }, 'identify.handle'],
    ['a blank handle', { identify: { handle: ' ' } }, 'identify.handle'],
    ['an unknown type', { type: 'login' }, 'type'],
    ['a future time', { occurredAt: '2030-11-15T10:30:00Z' }, 'occurredAt'],
    ['an ancient time', { occurredAt: '2020-11-15T10:30:00Z' }, 'occurredAt'],
    ['an actor without a group', { actor: person('x') }, 'actor'],
    ['a purchase in a signup', { purchase: { amountMinor: '1', currency: 'USD' } }, 'purchase'],
    ['a code that is not text', { refCode: 7 }, 'refCode'],
    [
      'a property with a long name',
      { properties: { ['x'.repeat(65)]: 1 } },
      `properties.${'x'.repeat(65)}`,
    ],
    ['a nested property', { properties: { a: {} } }, 'properties.a'],
  ])('%s is 400 at %s', async (_name, rest, path) => {
    const { status, body } = await signup('nobody', rest);
    expect(status).toBe(400);
    expect(body.error.details.map((one: { path: string }) => one.path)).toContain(path);
    const found = await read('/v1/participants', { externalId: 'nobody' });
    expect(found.body.data).toEqual([]);
  });

  test.each(['-1', '01', '1.5', '1000000000000000000', ''])(
    'an amount of %s is 400',
    async (amount) => {
      const { status, body } = await purchase('nobody', 'bad', amount);
      expect(status).toBe(400);
      expect(body.error.details[0].path).toBe('purchase.amountMinor');
    },
  );

  test('a garbage handle does not fail a signup', async () => {
    const { body } = await signup('garbage', { identify: { handle: 'not a handle' } });
    expect(body).toMatchObject({ identified: false, identifyReason: 'not_a_handle' });
  });
});

test('a batch answers each fact by itself, in order, and later ones see earlier ones', async () => {
  const event = (type: string, externalId: string, rest: object = {}) => ({
    sourceNamespaceId,
    type,
    participant: person(externalId),
    ...rest,
  });
  const { body } = await write('/v1/track/events/batch', {
    events: [
      event('signup', 'batch-1', { refCode: 'ada' }),
      event('nonsense', 'batch-2'),
      event('purchase', 'batch-1', {
        sourceEventId: 'batch-order',
        purchase: { amountMinor: '1000', currency: 'USD' },
      }),
    ],
  });
  expect(body.results.map((one: { success: boolean }) => one.success)).toEqual([true, false, true]);
  expect(body.results[1].error.details[0].path).toBe('type');
  expect(body.results[2]).toMatchObject({ processingReason: 'attributed' });
});
