import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../src/platform/feed/writer/project-write.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';
import { type Catcher, catchWebhooks, isSignedWith } from '../webhook-catcher.ts';

let service: TestService;
let catcher: Catcher;
let project: TestProject;
let endpointId: string;
let secret: string;
/** How the receiver answers. */
let respond: (response: ServerResponse) => void;
beforeAll(async () => {
  service = await openService();
  catcher = await catchWebhooks((response) => respond(response));
});
afterAll(async () => {
  await service.close();
  await catcher.close();
});
beforeEach(async () => {
  project = await service.newProject();
  respond = (response) => response.end('thank you');
  catcher.caught.length = 0;
  const { body } = await post('/v1/webhook-endpoints', { url: catcher.url });
  endpointId = body.endpoint.id;
  secret = body.secret;
});

const person = (externalId: string) => ({ kind: 'individual', externalId });
const post = (path: string, body: object) =>
  service.call('POST', path, {
    as: project.key,
    body: { projectId: project.projectId, ...body },
  });
const send = (type: string) => post(`/v1/webhook-endpoints/${endpointId}/test`, { type });
const feed = async () =>
  (
    await service.call('GET', '/v1/webhook-events', {
      as: project.key,
      query: { projectId: project.projectId, limit: 500 },
    })
  ).body.events;
async function sampleOf(type: string) {
  await send(type);
  return JSON.parse(catcher.caught.at(-1)?.text ?? '');
}

/** A value without what differs from one event to the next: ids by prefix, words as text. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]));
  }
  if (typeof value !== 'string') return value === null ? null : typeof value;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) return 'instant';
  if (/^\d+$/.test(value)) return 'minor units';
  return /^([a-z]+)_[0-9a-z]{26}$/.exec(value)?.[1] ?? 'text';
}

/** One of each event that there is, the newest of each type. */
async function makeRealEvents(): Promise<Map<string, { data: Record<string, unknown> }>> {
  const { body: source } = await post('/v1/sources', {});
  const { sourceNamespaceId } = source;
  const config = { brandConfig: { landingPageUrl: 'https://example.com' } };
  const program = await post('/v1/programs', { kind: 'referral', name: 'Invite', config });
  const programId = program.body.data.id;
  await post(`/v1/programs/${programId}/status`, { status: 'active' });
  await post('/v1/referral-links', { programId, participant: person('ada'), slug: 'ada' });
  const terms = { benefitKind: 'credit', fixedAmountMinor: '1000', currency: 'USD' };
  await post('/v1/benefit-rules', {
    programId,
    eventType: 'purchase',
    beneficiaryRole: 'referrer',
    name: 'Thanks',
    terms: { ...terms, currencyExponent: 2, durationMode: 'forever' },
  });
  const track = (body: object) => post('/v1/track/events', { sourceNamespaceId, ...body });
  await track({ type: 'signup', participant: person('bob'), refCode: 'ada' });
  // The address of the referrer, with a tag and a dot, from a provider of addresses for some minutes.
  await post(`/v1/programs/${programId}/risk-policies`, { mode: 'review' });
  for (const [who, email] of [
    ['ada', 'ada@mailinator.com'],
    ['eve', 'a.da+2@mailinator.com'],
  ] as const) {
    const body = { projectId: project.projectId, participant: person(who), email };
    await service.call('PUT', '/v1/participants', { as: project.key, body });
  }
  await track({ type: 'signup', participant: person('eve'), refCode: 'ada' });
  const { review } = (await feed()).at(-1).data;
  await post(`/v1/risk-reviews/${review.id}/decision`, { decision: 'reject' });
  const rewards: string[] = [];
  for (const orderId of ['zero', 'one', 'two']) {
    await track({
      type: 'purchase',
      participant: person('bob'),
      sourceEventId: orderId,
      purchase: { amountMinor: '10000', taxAmountMinor: '1900', currency: 'USD', orderId },
    });
    rewards.push((await feed()).at(-1).data.reward.id);
  }
  const [returned, granted, voided] = rewards;
  const refund = { kind: 'refund', sourceEventId: 'refund' };
  const restoration = { kind: 'restoration', sourceEventId: 'kept', restores: 'refund' };
  await post(`/v1/rewards/${returned}/fulfillment`, { externalReference: 'grant' });
  for (const adjustment of [refund, restoration]) {
    await post('/v1/track/adjustments', {
      sourceNamespaceId,
      purchase: { sourceEventId: 'zero' },
      amountMinor: '10000',
      currency: 'USD',
      currencyExponent: 2,
      occurredAt: service.clock.now,
      ...adjustment,
    });
  }
  const reason = { reasonCode: 'fraud' };
  await post(`/v1/rewards/${granted}/fulfillment`, { externalReference: 'grant' });
  await post(`/v1/rewards/${granted}/void`, reason);
  await post(`/v1/rewards/${granted}/revocation`, { externalReference: 'back' });
  await post(`/v1/rewards/${voided}/void`, reason);
  const events: { type: string; data: Record<string, unknown> }[] = await feed();
  return new Map(events.map((event) => [event.type, event]));
}

describe('a test event', () => {
  test('is sent at once, signed, in the envelope of real ones', async () => {
    const { status, body } = await send('participant.created');
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        webhookId: expect.stringMatching(/^wev_test_[0-9a-z]{26}$/),
        delivered: true,
        responseStatus: 200,
        responseBody: 'thank you',
        latencyMs: expect.any(Number),
        failure: null,
      },
    ]);
    const [webhook, ...more] = catcher.caught;
    if (!webhook) throw new Error('Nothing was sent.');
    expect(more).toEqual([]);
    expect(webhook.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': body.webhookId,
    });
    expect(isSignedWith(secret, webhook, service.clock.now)).toBe(true);
    expect(isSignedWith(`whsec_${'A'.repeat(43)}=`, webhook, service.clock.now)).toBe(false);
    expect(JSON.parse(webhook.text)).toEqual({
      id: body.webhookId,
      type: 'participant.created',
      apiVersion: '2026-10-04',
      occurredAt: service.clock.now,
      projectId: project.projectId,
      environment: 'sandbox',
      data: { participant: expect.objectContaining({ kind: 'individual' }) },
    });
  });

  test('of every type has exactly the shape of the real one (D-WH-5)', async () => {
    const real = await makeRealEvents();
    const inFeed = EVENT_TYPES.filter((type) => !type.startsWith('payout.'));
    expect([...real.keys()].toSorted()).toEqual(inFeed.toSorted());
    for (const type of inFeed) {
      const event = real.get(type);
      const sample = await sampleOf(type);
      expect(Object.keys(sample)).toEqual(Object.keys(event ?? {}));
      expect([type, shapeOf(sample.data)]).toEqual([type, shapeOf(event?.data)]);
      const { reward } = (event?.data ?? {}) as Record<string, Record<string, unknown>>;
      if (!reward) continue;
      const { fulfillmentStatus, delivery, benefitKind } = reward;
      expect(sample.data.reward).toMatchObject({ fulfillmentStatus, delivery, benefitKind });
    }
  });

  test.each([
    ['payout.paid', 'paid', 'instant', null],
    ['payout.failed', 'failed', null, 'text'],
    ['payout.returned', 'returned', 'instant', 'text'],
  ])('%s has the fields of D-PAY-1', async (type, status, paidAt, failure) => {
    const { data } = await sampleOf(type);
    expect(data.payout.status).toBe(status);
    expect(shapeOf(data)).toEqual({
      payout: {
        id: 'po',
        batchId: 'pob',
        status: 'text',
        method: 'text',
        currency: 'text',
        currencyExponent: 'number',
        amountMinor: 'minor units',
        rewards: [
          {
            rewardId: 'rwd',
            beneficiary: { participantId: 'par', kind: 'text', externalId: 'text' },
            amountMinor: 'minor units',
          },
        ],
        providerReference: type === 'payout.failed' ? null : 'text',
        createdAt: 'instant',
        paidAt,
        failureReason: failure,
        failureMessage: failure,
      },
    });
  });

  test('names nothing that exists, is in no feed, and its answer grants nothing', async () => {
    const { reward } = (await sampleOf('reward.earned')).data;
    const again = (await sampleOf('reward.earned')).data.reward;
    expect(again.id).not.toBe(reward.id);
    const grant = { externalReference: 'g' };
    expect((await post(`/v1/rewards/${reward.id}/fulfillment`, grant)).status).toBe(404);
    expect(await feed()).toEqual([]);
    for (const table of ['webhook_deliveries', 'webhook_attempts', 'rewards', 'audit_entries']) {
      const rows = await service.database.reads.query<{ action?: string }>(
        `select * from ${table} where project_id = $1`,
        [project.projectId],
      );
      const about = rows.filter(({ action }) => !action || action.includes('test'));
      expect([table, about]).toEqual([table, []]);
    }
  });

  test('carries the time of the Project, and is signed at the real time', async () => {
    const now = '2027-06-01T00:00:00.000Z';
    await service.call('PUT', `/v1/projects/${project.projectId}/clock`, {
      as: project.key,
      body: { now },
    });
    expect((await sampleOf('reward.earned')).occurredAt).toBe(now);
    const webhook = catcher.caught.at(-1);
    const seconds = Math.floor(service.clock.nowMs() / 1_000);
    expect(webhook?.headers['webhook-timestamp']).toBe(String(seconds));
  });

  test('reaches a disabled endpoint, and one that does not subscribe to the type', async () => {
    await service.call('PATCH', `/v1/webhook-endpoints/${endpointId}`, {
      as: project.key,
      body: { projectId: project.projectId, enabled: false, eventTypes: ['payout.paid'] },
    });
    expect((await send('reward.earned')).body.delivered).toBe(true);
  });

  test.each([
    [200, true],
    [202, true],
    [204, true],
    [302, false],
    [400, false],
    [410, false],
    [500, false],
  ])(
    'that is answered with %i: delivered is %s, redirects are not followed',
    async (code, delivered) => {
      const location = catcher.url.replace('/hook', '/elsewhere');
      respond = (response) => response.writeHead(code, { location }).end();
      const { status, body } = await send('reward.earned');
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({
          delivered,
          responseStatus: code,
          responseBody: '',
          failure: null,
        }),
      ]);
      expect(catcher.caught.map(({ path }) => path)).toEqual(['/hook']);
    },
  );

  test('that gets no answer says why', async () => {
    respond = (response) => response.destroy();
    const { status, body } = await send('reward.earned');
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        webhookId: expect.stringMatching(/^wev_test_/),
        delivered: false,
        responseStatus: null,
        responseBody: null,
        latencyMs: expect.any(Number),
        failure: {
          reason: 'connection_lost',
          message: 'The connection was closed without a response.',
        },
      },
    ]);
  });

  test.each([
    ['no type', {}],
    ['an unknown type', { type: 'reward.lost' }],
    ['a field too many', { type: 'reward.earned', data: {} }],
  ])('with %s is 400 and sends nothing', async (_what, body) => {
    const { status } = await post(`/v1/webhook-endpoints/${endpointId}/test`, body);
    expect(status).toBe(400);
    expect(catcher.caught).toEqual([]);
  });
});

test('ten tests run at once; one more is told to come back, and the Project’s writes go on', async () => {
  const waiting: ServerResponse[] = [];
  const { promise: allArrived, resolve: arrived } = withResolvers();
  respond = (response) => {
    waiting.push(response);
    if (waiting.length === 10) arrived();
  };
  const running = Array.from({ length: 10 }, () => send('reward.earned'));
  await allArrived;
  const refused = await send('reward.earned');
  expect([refused.status, refused.body.error.reason]).toEqual([503, 'overloaded']);
  expect(refused.headers.get('retry-after')).toBe('1');
  const written = await service.call('PUT', '/v1/participants', {
    as: project.key,
    body: { projectId: project.projectId, participant: person('ada') },
  });
  expect(written.status).toBe(200);
  for (const response of waiting) response.end();
  for (const { body } of await Promise.all(running)) expect(body.delivered).toBe(true);
  respond = (response) => response.end();
  expect((await send('reward.earned')).status).toBe(200);
});

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
