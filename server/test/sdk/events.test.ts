import {
  Goodword,
  type Party,
  verifyWebhook,
  type WebhookData,
  type WebhookEvent,
  type WebhookEventType,
  widgetToken,
} from '@goodword/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../src/platform/feed/writer/project-write.ts';
import { addEndpoint, type Listener, listen } from '../endpoints.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';
import { newWidgetSecret } from '../widget-token.ts';
import { FaultProxy } from './fault-proxy.ts';

let service: TestService;
let listener: Listener;
let proxy: FaultProxy;
let url: string;
beforeAll(async () => {
  service = await openService();
  listener = await listen();
  proxy = new FaultProxy(service.url);
  url = await proxy.start();
});
afterAll(async () => {
  await proxy.close();
  await service.close();
  await listener.close();
});

let project: TestProject;
let client: Goodword;
beforeEach(async () => {
  project = await service.newProject();
  const { projectId, key: apiKey } = project;
  client = new Goodword({ url, apiKey, projectId });
  listener.received.length = 0;
});

const person = (externalId: string) => ({ kind: 'individual', externalId }) as const;
const introduce = async (...names: string[]) => {
  for (const name of names) await client.participants.upsert({ participant: person(name) });
};
const nameIn = (event: WebhookEvent) =>
  event.type === 'participant.created' ? event.data.participant.externalId : event.type;

describe('a delivery', () => {
  test('is taken by verifyWebhook with the endpoint’s secret, also while that is rotated', async () => {
    const { id, secret } = await addEndpoint(service, project, { url: listener.url });
    const { secret: newer } = await client.request(
      'POST /v1/webhook-endpoints/{endpointId}/rotate-secret',
      { path: { endpointId: id } },
    );
    await introduce('ada');
    await service.dispatch();
    const [delivery] = listener.received;
    if (!delivery) throw new Error('Nothing was delivered.');
    const { body, headers } = delivery;
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
    const options = { nowMs: service.clock.nowMs() };
    for (const known of [secret, newer, [newer, secret]]) {
      const event = await verifyWebhook(body, headers, known, options);
      expect(event).toEqual(JSON.parse(body));
      expect(nameIn(event)).toBe('ada');
    }
    const other = await addEndpoint(service, project, { url: listener.url });
    for (const [text, known] of [
      [body, other.secret],
      [body.replace('ada', 'eve'), secret],
    ] as const) {
      await expect(verifyWebhook(text, headers, known, options)).rejects.toMatchObject({
        reason: 'signature_wrong',
      });
    }
    const late = { nowMs: options.nowMs + 301_000 };
    await expect(verifyWebhook(body, headers, secret, late)).rejects.toMatchObject({
      reason: 'timestamp_off',
    });
  });

  test('of each type has the very fields that its TypeScript type has', async () => {
    const { id: endpointId } = await addEndpoint(service, project, { url: listener.url });
    for (const type of EVENT_TYPES) {
      await client.request('POST /v1/webhook-endpoints/{endpointId}/test', {
        path: { endpointId },
        body: { type },
      });
    }
    const sent = listener.received.map(({ event }) => [event.type, fieldsOf(event.data)]);
    const typed = Object.entries(EXAMPLES).map(([type, data]) => [type, fieldsOf(data)]);
    expect(Object.fromEntries(sent)).toEqual(Object.fromEntries(typed));
  });
});

describe('the feed', () => {
  test('is read to its end page by page, and on from there later', async () => {
    await introduce('a', 'b', 'c');
    const pages = [];
    for await (const page of client.feed.pages({ limit: 2 })) pages.push(page);
    expect(pages.map(({ events }) => events.map(nameIn))).toEqual([['a', 'b'], ['c']]);
    const after = pages.at(-1)?.next;
    await introduce('d');
    for await (const { events } of client.feed.pages({ after })) {
      expect(events.map(nameIn)).toEqual(['d']);
    }
  });

  test('is followed through cuts, each event once and in order', async () => {
    await introduce('a', 'b');
    const controller = new AbortController();
    const names: (string | null)[] = [];
    const cursors: string[] = [];
    const follow = async () => {
      for await (const event of client.feed.follow({ signal: controller.signal })) {
        names.push(nameIn(event));
        cursors.push(event.cursor);
        if (names.length === 2) {
          proxy.cutAll();
          proxy.plan.push('cut before');
          await introduce('c');
        }
        if (names.length === 3) return;
      }
    };
    await follow();
    expect(names).toEqual(['a', 'b', 'c']);
    const rest = client.feed.follow({ after: cursors[1], signal: controller.signal });
    const { value } = await rest.next();
    expect(value && nameIn(value)).toBe('c');
    const waiting = rest.next();
    controller.abort('done');
    await expect(waiting).rejects.toBe('done');
  });

  test('is not followed with a cursor of another project', async () => {
    await introduce('a');
    const elsewhere = client;
    project = await service.newProject();
    client = new Goodword({ url, apiKey: project.key, projectId: project.projectId });
    await introduce('b');
    const foreign = (await elsewhere.feed.pages().next()).value?.next;
    await expect(client.feed.follow({ after: foreign }).next()).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      reason: 'cursor_invalid',
    });
  });
});

describe('a token of widgetToken', () => {
  test('opens the widget for its participant, for its scopes and its time', async () => {
    const { projectId } = project;
    const { secret } = await newWidgetSecret(service, project);
    const sign = (more = {}) =>
      widgetToken({
        ...{ projectId, secret, participant: { kind: 'group', externalId: 'Žofie & sons' } },
        nowMs: service.clock.nowMs(),
        ...more,
      });
    const call = (method: 'GET' | 'PUT', token: string) =>
      service.call(method, '/v1/widget/payout-details', {
        ...(method === 'GET'
          ? { query: { projectId } }
          : { body: { projectId, details: { type: 'paypal', email: 'z@example.com' } } }),
        headers: { authorization: `Bearer ${token}` },
      });
    const token = await sign();
    expect((await call('PUT', token)).status).toBe(200);
    expect((await call('GET', token)).body).toMatchObject({ configured: true, type: 'paypal' });
    const [participant] = (await client.request('GET /v1/participants')).data;
    expect(participant).toMatchObject({ kind: 'group', externalId: 'Žofie & sons' });
    const reader = await sign({ scopes: ['widget:read'] });
    expect((await call('GET', reader)).status).toBe(200);
    expect((await call('PUT', reader)).body.error.code).toBe('INSUFFICIENT_SCOPE');
    const short = await sign({ expiresIn: 60 });
    const nextSecret = await sign({ secret: `${secret}x` });
    expect((await call('GET', nextSecret)).status).toBe(401);
    service.clock.advance(91_000);
    expect((await call('GET', short)).status).toBe(401);
    expect((await call('GET', token)).status).toBe(200);
    for (const expiresIn of [0, 901, 1.5, Number.NaN]) {
      await expect(sign({ expiresIn })).rejects.toThrow(RangeError);
    }
    await expect(sign({ secret: 'whsec_AAAA' })).rejects.toThrow(TypeError);
    const numbered = { kind: 'individual', externalId: 42 };
    await expect(sign({ participant: numbered })).rejects.toThrow(TypeError);
  });
});

/** The names of all fields, however deep; lists by their first member. */
function fieldsOf(value: unknown): unknown {
  if (Array.isArray(value)) return [fieldsOf(value[0])];
  if (value === null || typeof value !== 'object') return null;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fieldsOf(one)]));
}

const party: Party = { participantId: '', kind: 'individual', externalId: '' };
const record = { id: '', externalReference: '', occurredAt: '', actor: 'api' } as const;
const voided = { id: '', reasonCode: 'fraud', reason: null, voidedAt: '' } as const;
const earned: WebhookData['reward.earned']['reward'] = {
  id: '',
  projectId: '',
  programId: '',
  ruleId: '',
  termsVersionId: '',
  eventId: '',
  beneficiaryRole: 'referrer',
  beneficiary: party,
  benefitKind: 'credit',
  money: { amountMinor: '', netAmountMinor: '', currency: '', currencyExponent: 2 },
  discount: null,
  custom: null,
  tier: null,
  milestone: null,
  earnedAt: '',
  availableAt: '',
  fulfillmentStatus: 'pending',
  fulfillment: null,
  revocation: null,
  delivery: { method: 'operator', status: 'pending', reason: null, providerReference: null },
  void: null,
};
const payout: WebhookData['payout.paid']['payout'] = {
  id: '',
  batchId: '',
  status: 'paid',
  method: 'manual_export',
  currency: '',
  currencyExponent: 2,
  amountMinor: '',
  rewards: [{ rewardId: '', beneficiary: party, amountMinor: '' }],
  providerReference: null,
  createdAt: '',
  paidAt: '',
  failureReason: null,
  failureMessage: null,
};
const review: WebhookData['risk.review_opened']['review'] = {
  id: '',
  programId: '',
  referralId: '',
  referrer: party,
  referee: party,
  status: 'open',
  score: 0,
  signals: [],
  openedAt: '',
  decidedAt: null,
};
/** Written after the types alone: the compiler lets nothing be left out or added here. */
const EXAMPLES: { [T in WebhookEventType]: WebhookData[T] } = {
  'participant.created': { participant: party },
  'referral.created': {
    referral: {
      id: '',
      programId: '',
      referrer: party,
      referee: party,
      bindingEventId: '',
      bindingSubscriptionFactId: null,
      boundAt: '',
    },
  },
  'event.recorded': {
    event: {
      id: '',
      type: 'purchase',
      participant: party,
      actor: null,
      sourceNamespaceId: '',
      sourceEventId: '',
      occurredAt: '',
      receivedAt: '',
      purchase: {
        purchaseId: '',
        amountMinor: '',
        taxAmountMinor: '',
        currency: '',
        currencyExponent: 2,
        orderId: '',
        invoiceId: null,
        subscriptionId: null,
      },
      properties: {},
    },
    attribution: {
      status: 'attributed',
      reason: 'attributed',
      referralId: '',
      programId: '',
      referrer: party,
      touchId: '',
      policyVersionId: '',
    },
  },
  'reward.earned': { reward: earned },
  'reward.voided': { reward: { ...earned, void: voided } },
  'reward.restored': { reward: { ...earned, fulfillment: record } },
  'reward.fulfilled': { reward: { ...earned, fulfillment: record } },
  'reward.revoked': {
    reward: { ...earned, fulfillment: record, revocation: record, void: voided },
  },
  'payout.paid': { payout },
  'payout.failed': { payout },
  'payout.returned': { payout },
  'risk.review_opened': { review },
  'risk.review_decided': { review: { ...review, status: 'approved', decidedAt: '' } },
};
