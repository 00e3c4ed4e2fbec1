import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createDispatcher } from '../../src/outbound/webhooks/dispatch/dispatcher.ts';
import { createDatabase } from '../../src/platform/db/database.ts';
import { openPostgres } from '../../src/platform/db/postgres.ts';
import { addMs, DAY_MS, HOUR_MS } from '../../src/platform/kit/instant.ts';
import { copyPostgres } from '../database.ts';
import { type CallOptions, startService, type TestProject, type TestService } from '../harness.ts';
import { rounds } from '../rounds.ts';
import { invoice, invoicePayment, refund, stripeEvent } from '../stripe-events.ts';
import { RESTRICTED_KEY, signStripe, WEBHOOK_SECRET } from '../stripe-shop.ts';
import { makeSigner, newWidgetSecret } from '../widget-token.ts';
import { countReads, type Reading } from './count-reads.ts';
import {
  analyse,
  CROWD,
  type CrowdReferrer,
  fillWithCrowd,
  fillWithSmallOnes,
  keepAutovacuumAway,
  MILESTONE,
} from './crowd.ts';

/** An erasure looks for a name in whatever receivers answered, slice by slice. */
const WALKS_ALL = /response_body = ''/;

/** Filling the tables may take so long. */
const FILL_MS = rounds(180_000, 1_200_000);

/** A call about one person reads a few rows; the Project has many times this. */
const READ_MAX = 500;

let copy: Awaited<ReturnType<typeof copyPostgres>>;
let service: TestService;
let project: TestProject;
let sourceNamespaceId: string;
let programId: string;
let crowdReferrer: CrowdReferrer;
let readings: Promise<Reading>[] = [];

/**
 * A new store has the plans of its first calls, made while its tables were empty: it has one
 * connection, which makes every call once, and the planner is not told of what comes then. A young
 * one was looked at while each of its Projects had next to nothing, and then one grew.
 */
async function open(state: 'analysed' | 'new' | 'young'): Promise<void> {
  copy = await copyPostgres();
  await keepAutovacuumAway(copy.url);
  const driver = openPostgres({
    connectionString: copy.url,
    poolSize: 1,
    onIdleError: () => undefined,
  });
  let begun = 0;
  const begin = () => {
    begun += 1;
    return countReads(driver.begin(), (reading) => readings.push(reading));
  };
  service = await startService({ database: createDatabase({ ...driver, begin }) });
  if (state === 'young') {
    await fillWithSmallOnes(copy.url, 1);
    await analyse(copy.url);
  }
  if (state !== 'analysed') {
    await openProject();
    for (const journey of Object.values(JOURNEYS)) await journey();
  }
  await openProject();
  if (state !== 'young') await fillWithSmallOnes(copy.url, 5);
  await fillWithCrowd(copy.url, project.projectId, crowdReferrer);
  if (state === 'analysed') await analyse(copy.url);
  // The first plans are forgotten once as many transactions again have been.
  for (let left = begun; left > 0; left -= 1) {
    await service.database.transaction((tx) => tx.query('select 1'));
  }
}

async function close(): Promise<void> {
  await service.close();
  await copy.drop();
}

async function openProject(): Promise<void> {
  project = await service.newProject();
  sourceNamespaceId = (await post('/v1/sources', {})).sourceNamespaceId;
  await newProgram('subscription');
  crowdReferrer = await newProgram('signup');
  programId = crowdReferrer.programId;
}

async function read<A>(body: () => Promise<A>): Promise<{ answer: A; read: Reading[] }> {
  readings = [];
  const answer = await body();
  return { answer, read: await Promise.all(readings) };
}

let calls = 0;

/** Makes a call, and holds every statement of it to reading little. */
async function frugally(method: 'POST' | 'PUT' | 'DELETE', path: string, options: CallOptions) {
  calls += 1;
  const headers = { 'idempotency-key': `call-${calls}` };
  const { answer, read: all } = await read(() =>
    service.call(method, path, { as: project.key, headers, ...options }),
  );
  expect([path, answer.status, answer.body]).toMatchObject([path, 200, {}]);
  expect(all.length).toBeGreaterThan(0);
  expect(all.filter(({ rows, text }) => rows > READ_MAX && !WALKS_ALL.test(text))).toEqual([]);
  return answer.body;
}

const inProject = (body: object) => ({ body: { projectId: project.projectId, ...body } });
const tell = (path: string, body: object) => frugally('POST', path, inProject(body));
const post = async (path: string, body: object) => {
  const answer = await service.call('POST', path, { as: project.key, ...inProject(body) });
  expect([path, answer.status, answer.body]).toMatchObject([path, 200, {}]);
  return answer.body;
};
const person = (name: string) => ({ kind: 'individual', externalId: name });
const team = (name: string) => ({ kind: 'group', externalId: name });

async function newProgram(bindingTrigger: string): Promise<CrowdReferrer> {
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const made = await post('/v1/programs', { kind: 'referral', name: 'Invite', config });
  const programId = made.data.id as string;
  await post(`/v1/programs/${programId}/attribution-policies`, { bindingTrigger });
  await post(`/v1/programs/${programId}/status`, { status: 'active' });
  const rule = { programId, purpose: 'bonus', name: 'Thanks' };
  await post('/v1/benefit-rules', {
    ...rule,
    eventType: 'purchase',
    beneficiaryRole: 'referrer',
    terms: {
      benefitKind: 'cash',
      calculation: 'percentage',
      rateBps: 1_000,
      durationMode: 'forever',
    },
  });
  await post('/v1/benefit-rules', {
    ...rule,
    eventType: 'purchase',
    beneficiaryRole: 'referee',
    terms: {
      benefitKind: 'credit',
      calculation: 'percentage',
      rateBps: 500,
      durationMode: 'months',
      durationMonths: 2,
    },
  });
  await post('/v1/benefit-rules', {
    ...rule,
    eventType: 'purchase',
    beneficiaryRole: 'referrer',
    terms: {
      benefitKind: 'cash',
      calculation: 'percentage',
      durationMode: 'forever',
      tiers: {
        measure: 'purchases',
        window: 'rolling_30_days',
        steps: [
          { from: '0', rateBps: 100 },
          { from: '2', rateBps: 200 },
        ],
      },
    },
  });
  const milestone = await post('/v1/benefit-rules', {
    ...rule,
    eventType: 'purchase',
    beneficiaryRole: 'referrer',
    terms: {
      benefitKind: 'cash',
      calculation: 'milestone',
      fixedAmountMinor: '100',
      currency: 'USD',
      currencyExponent: 2,
      milestone: { measure: 'revenue', at: `${MILESTONE}`, repeat: true },
    },
  });
  await post('/v1/benefit-rules', {
    ...rule,
    eventType: 'signup',
    beneficiaryRole: 'referee',
    terms: {
      benefitKind: 'credit',
      fixedAmountMinor: '500',
      currency: 'USD',
      currencyExponent: 2,
    },
  });
  const link = { programId, participant: person('ada'), slug: `by-${bindingTrigger}` };
  await post('/v1/referral-links', link);
  const ada = await service.call('PUT', '/v1/participants', {
    as: project.key,
    ...inProject({ participant: person('ada') }),
  });
  return { participantId: ada.body.data.id, programId, milestoneRuleId: milestone.data.id };
}

async function click(ref = 'by-signup'): Promise<string> {
  const { handle } = await frugally('POST', '/v1/clicks', {
    as: 'nobody',
    body: { projectKey: project.projectKey, ref },
  });
  return handle;
}
const track = (body: object) => tell('/v1/track/events', { sourceNamespaceId, ...body });
const signUp = (participant: object, rest: object) =>
  track({ type: 'signup', participant, sourceEventId: `signup-${calls}`, ...rest });
const buy = (participant: object, order: string, rest: object = {}) =>
  track({
    type: 'purchase',
    participant,
    sourceEventId: order,
    purchase: { amountMinor: '1000', currency: 'USD', invoiceId: `invoice-${order}` },
    ...rest,
  });
const adjust = (kind: string, order: string, sourceEventId: string, more: object = {}) =>
  tell('/v1/track/adjustments', {
    sourceNamespaceId,
    sourceEventId,
    purchase: { sourceEventId: order },
    kind,
    amountMinor: '300',
    currency: 'USD',
    currencyExponent: 2,
    occurredAt: service.clock.now,
    ...more,
  });

const JOURNEYS: Readonly<Record<string, () => Promise<void>>> = {
  'signups with a code and with a handle find their rows by key': async () => {
    await signUp(person('bob'), { refCode: 'by-signup' });
    const { attribution } = await signUp(person('carl'), { identify: { handle: await click() } });
    expect(attribution).not.toBeNull();
    const known = person('dora');
    await frugally('PUT', '/v1/participants', inProject({ participant: known }));
    expect((await signUp(known, { refCode: 'by-signup' })).attribution).not.toBeNull();
  },
  'a purchase and what is given back of it find their rows by key': async () => {
    await signUp(person('erik'), { refCode: 'by-signup' });
    expect((await buy(person('erik'), 'order-1')).processingReason).toBe('attributed');
    await adjust('refund', 'order-1', 'refund-1');
    await adjust('dispute', 'order-1', 'dispute-1');
    await adjust('restoration', 'order-1', 'restoration-1', { restores: 'dispute-1' });
  },
  'a rule that earns for some months finds where its period begins by key': async () => {
    await signUp(person('lars'), { refCode: 'by-signup' });
    const earned = async (order: string) => {
      const { eventId } = await buy(person('lars'), order);
      const { body } = await service.call('GET', '/v1/rewards', {
        as: project.key,
        query: { projectId: project.projectId, eventId },
      });
      return body.data.map(({ benefitKind }: { benefitKind: string }) => benefitKind).toSorted();
    };
    // Two multiples of the milestone with each, but one had been earned, and lost by the refund before.
    expect(await earned('month-1')).toEqual(['cash', 'cash', 'cash', 'credit']);
    expect(await earned('month-2')).toEqual(['cash', 'cash', 'cash', 'cash', 'credit']);
    // Taken back wholly, the first one no longer begins the period.
    await adjust('refund', 'month-1', 'refund-month-1', { amountMinor: '1000' });
    const batch = ['month-3', 'month-4'].map((sourceEventId) => ({
      sourceNamespaceId,
      type: 'purchase',
      participant: person('lars'),
      sourceEventId,
      purchase: { amountMinor: '1000', currency: 'USD' },
    }));
    await tell('/v1/track/events/batch', { events: batch });
    await adjust('dispute', 'month-2', 'dispute-month-2');
  },
  'a code that is moved finds its rows by key, and so does who types it': async () => {
    const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
    const old = await post('/v1/programs', { kind: 'referral', name: 'Old', config });
    const path = `/v1/programs/${old.data.id}/status`;
    await post(path, { status: 'active' });
    const names = { participant: person('oda'), code: 'by-oda' };
    await tell('/v1/referral-codes', { ...names, programId: old.data.id });
    await post(path, { status: 'ended' });
    await tell('/v1/referral-codes', { ...names, programId });
    const { attribution } = await signUp(person('pia'), { refCode: 'by-oda' });
    expect(attribution.programId).toBe(programId);
  },
  'the start of a subscription finds its rows by key': async () => {
    await signUp(team('crew'), { actor: person('fay'), refCode: 'by-subscription' });
    const handle = await click('by-subscription');
    await tell('/v1/identify', { handle, participant: person('fay') });
    expect((await buy(team('crew'), 'order-3')).processingState).toBe('pending');
    const { attribution } = await tell('/v1/track/subscriptions', {
      sourceNamespaceId,
      sourceEventId: 'sub-1-started',
      participant: team('crew'),
      subscriptionId: 'sub-1',
      change: 'started',
      occurredAt: service.clock.now,
    });
    expect(attribution).not.toBeNull();
  },
  'a group that refers, and one whose actor was referred, find their rows by key': async () => {
    await signUp(team('club'), { actor: person('mia') });
    await tell('/v1/referral-links', { programId, participant: team('club'), slug: 'by-club' });
    const own = await signUp(person('mia'), { identify: { handle: await click('by-club') } });
    expect(own.processingReason).toBe('self_referral');
    expect((await signUp(person('nils'), { refCode: 'by-club' })).attribution).not.toBeNull();
    await signUp(team('band'), { actor: person('quin') });
    const bought = await buy(team('band'), 'order-4', { actor: person('nils') });
    expect(bought.processingReason).toBe('attributed');
  },
  'a group’s purchases that wait for its creator’s subscription find their rows by key':
    async () => {
      await signUp(team('gang'), { actor: person('pat') });
      await signUp(person('pat'), { refCode: 'by-subscription' });
      const bought = await buy(team('gang'), 'order-5', { actor: person('rob') });
      expect(bought.processingState).toBe('pending');
      await tell('/v1/track/subscriptions', {
        sourceNamespaceId,
        sourceEventId: 'sub-2-started',
        participant: person('pat'),
        subscriptionId: 'sub-2',
        change: 'started',
        occurredAt: service.clock.now,
      });
      const { body } = await service.call('GET', `/v1/events/${bought.eventId}`, {
        as: project.key,
        query: { projectId: project.projectId },
      });
      expect(body.data.processingReason).toBe('attributed');
    },
  'an identification finds its rows by key, by a handle and by a reference': async () => {
    const handle = await click();
    const key = 'desk-7-reference-0123456789abcdef';
    await tell('/v1/identify', { handle, reference: { key } });
    await tell('/v1/identify', { reference: { key }, participant: person('gus') });
  },
  'a participant that is changed finds its rows by key': async () => {
    const change = (participant: object, more: object) =>
      frugally('PUT', '/v1/participants', inProject({ participant, ...more }));
    await change(person('hana'), { name: 'Hana', billingId: 'cus-1' });
    await change(person('hana'), { name: 'Hana K.', billingId: 'cus-2' });
  },
  'what people may share with a referrer of many, and with their referees, is found by key':
    async () => {
      const email = (name: string) => ({ participant: person(name), email: `${name}@example.com` });
      await frugally('PUT', '/v1/participants', inProject(email('uma')));
      await signUp(person('uma'), { identify: { handle: await click() } });
      await buy(person('uma'), 'order-6');
      await tell(`/v1/programs/${programId}/risk-policies`, { mode: 'observe' });
      const lists = {
        emailDomains: ['example.com'],
        networks: ['203.0.113.0/24'],
        participants: [],
      };
      const path = `/v1/projects/${project.projectId}/risk-lists`;
      await frugally('PUT', path, inProject({ allowed: lists, watched: lists }));
      await buy(person('uma'), 'order-7');
    },
  'a review of a referral of somebody with many is decided by keys': async () => {
    const alias = (name: string, tag: string) =>
      frugally(
        'PUT',
        '/v1/participants',
        inProject({ participant: person(name), email: `vera${tag}@example.org` }),
      );
    const policy = { mode: 'review', points: { email_alias: 100 }, reviewAt: 100 };
    await tell(`/v1/programs/${programId}/risk-policies`, policy);
    for (const name of ['vera', 'vito']) {
      await alias(name, name === 'vera' ? '' : '+1');
      await signUp(person(name), { identify: { handle: await click() } });
      await buy(person(name), `order of ${name}`);
    }
    const query = { projectId: project.projectId };
    const ask = async (path: string) =>
      (await service.call('GET', path, { as: project.key, query })).body.data;
    const data = await ask('/v1/risk-reviews');
    expect(data).toHaveLength(1);
    const decided = await tell(`/v1/risk-reviews/${data[0].id}/decision`, { decision: 'reject' });
    expect(decided.data.status).toBe('rejected');
    expect(await ask('/v1/risk-signals')).toContainEqual({
      signal: 'email_alias',
      open: 0,
      approved: 0,
      rejected: 1,
    });
  },
  'payout details that are saved and changed find their rows by key': async () => {
    const { secret } = await newWidgetSecret(service, project);
    const token = await makeSigner(service, project, secret)({ claims: { sub: 'kim' } });
    for (const name of ['kim', 'kim', 'kim.new', 'kim.newer', 'kim']) {
      const details = { type: 'wise', email: `${name}@example.com` };
      const headers = { authorization: `Bearer ${token}` };
      const options = { as: 'nobody', headers, ...inProject({ details }) };
      await frugally('PUT', '/v1/widget/payout-details', options);
    }
  },
  'events of Stripe, parked ones too, find their rows by key': async () => {
    const connect = { restrictedKey: RESTRICTED_KEY, webhookSecret: WEBHOOK_SECRET };
    const made = await frugally('POST', '/v1/integrations/stripe/connections', {
      as: 'operator',
      ...inProject(connect),
    });
    const path = `/v1/integrations/stripe/${project.projectId}/${made.data.id}`;
    const hear = async (type: string, object: object) => {
      const body = JSON.stringify(stripeEvent(type, object));
      const headers = { 'stripe-signature': signStripe(service, body) };
      return (await frugally('POST', path, { as: 'nobody', headers, body })).data.state;
    };
    await hear('refund.created', refund());
    await hear('invoice_payment.paid', invoicePayment());
    const states = [await hear('invoice.paid', invoice())];
    const lee = inProject({ participant: person('lee'), billingId: 'cus_bob' });
    const { data } = await frugally('PUT', '/v1/participants', lee);
    const { read: all } = await read(() => service.settleStripe());
    expect(all.filter(({ rows }) => rows > READ_MAX)).toEqual([]);
    states.push(await hear('refund.failed', refund()), await hear('invoice.paid', invoice()));
    expect(states).toEqual(['parked', 'done', 'ignored']);
    await frugally('DELETE', `/v1/participants/${data.id}`, {
      query: { projectId: project.projectId, force: 'true' },
    });
  },
  'an erasure finds its rows by key': async () => {
    const { participantId } = await signUp(person('jon'), {
      refCode: 'by-signup',
      identify: { handle: await click() },
    });
    await tell('/v1/referral-links', { programId, participant: person('jon'), slug: 'jon' });
    // What was said of them is cleared in the feed, too.
    const { data } = await service
      .call('GET', '/v1/rewards', {
        as: project.key,
        query: { projectId: project.projectId, beneficiaryParticipantId: participantId },
      })
      .then(({ body }) => body);
    await tell(`/v1/rewards/${data[0].id}/void`, { reasonCode: 'other', reason: 'Jon himself' });
    await frugally('DELETE', `/v1/participants/${participantId}`, {
      query: { projectId: project.projectId, force: 'true' },
    });
  },
  'deliveries are claimed, written down and given back by key': async () => {
    const { endpoint } = await post('/v1/webhook-endpoints', { url: 'https://example.com' });
    await signUp(person('kim'), { refCode: 'by-signup' });
    let status = 500;
    let sent = 0;
    const sender = {
      send: async () => {
        sent += 1;
        return { outcome: 'answered' as const, status, bodyStart: '', latencyMs: 1 };
      },
      close: async () => undefined,
    };
    const dispatch = async () => {
      sent = 0;
      const [due] = await service.database.reads.query<{ count: number }>(
        `select count(*)::int as count from webhook_deliveries
         where project_id = $1 and queue_id <> 'crowd' and due_at <= $2`,
        [project.projectId, service.clock.now],
      );
      expect(due?.count).toBeGreaterThan(0);
      const dispatcher = createDispatcher({ ...service.dispatchDeps, sender });
      const { read: all } = await read(async () => {
        dispatcher.poke(project.projectId);
        await vi.waitUntil(() => sent === due?.count, { timeout: 10_000 });
        await dispatcher.stop();
      });
      expect(all.filter(({ rows }) => rows > READ_MAX)).toEqual([]);
    };
    await dispatch();
    service.clock.advance(30_000);
    status = 200;
    await dispatch();
    const { queued } = await tell(`/v1/webhook-endpoints/${endpoint.id}/replay`, {
      since: addMs(service.clock.now, -HOUR_MS),
    });
    expect(queued).toBeGreaterThan(0);
    await frugally('DELETE', `/v1/webhook-endpoints/${endpoint.id}`, {
      query: { projectId: project.projectId },
    });
  },
  'a purchase that has waited is decided by key': async () => {
    const { eventId, processingState } = await buy(person('ines'), 'order-2');
    expect(processingState).toBe('pending');
    await adjust('refund', 'order-2', 'refund-2');
    service.clock.advance(40 * DAY_MS);
    const now = new Date(service.clock.nowMs() + 1).toISOString();
    await frugally('PUT', `/v1/projects/${project.projectId}/clock`, { body: { now } });
    const decided = await service.call('GET', `/v1/events/${eventId}`, {
      as: project.key,
      query: { projectId: project.projectId },
    });
    expect(decided.body.data.processingState).toBe('processed');
  },
};

describe.each(['analysed', 'new', 'young'] as const)('on a store that is %s', (state) => {
  beforeAll(() => open(state), FILL_MS);
  afterAll(close);

  test('a statement that reads a whole Project is noticed', async () => {
    const { read: all } = await read(() =>
      service.database.transaction((tx) =>
        tx.query('select id from events where project_id = $1 and attempt_count = -1', [
          project.projectId,
        ]),
      ),
    );
    expect(all.map(({ rows }) => rows >= CROWD)).toEqual([true]);
  });

  test.each(Object.entries(JOURNEYS))('%s', (_, journey) => journey());
});
