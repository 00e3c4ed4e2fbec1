import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { HOUR_MS } from '../../src/platform/kit/instant.ts';
import { addEndpoint, type Listener, listen } from '../endpoints.ts';
import { openService, type TestService } from '../harness.ts';
import { type FeedEvent, openShop, type Shop } from '../shop.ts';

let service: TestService;
let shop: Shop;
let listener: Listener;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  shop = await openShop(service);
  listener = await listen();
});
afterEach(async () => {
  await listener.close();
  // What one test leaves to be retried is not for the next.
  await service.database.transaction((tx) => tx.query('delete from webhook_deliveries'));
});

const CASH = { benefitKind: 'cash', calculation: 'percentage', rateBps: 1_000 };
const hook = (options: object = {}) =>
  addEndpoint(service, shop.project, { url: listener.url, ...options });
const byId = (events: readonly FeedEvent[]) => events.toSorted((a, b) => (a.id < b.id ? -1 : 1));
const events = () => byId(listener.received.map(({ event }) => event));
const types = () => events().map(({ type }) => type);
const attempts = () =>
  service.database.reads.query<{ outcome: string; status: number | null; reason: string | null }>(
    `select outcome, response_status as status, failure_reason as reason from webhook_attempts
     where project_id = $1 order by id`,
    [shop.project.projectId],
  );
const queued = async () =>
  (
    await service.database.reads.query('select 1 from webhook_deliveries where project_id = $1', [
      shop.project.projectId,
    ])
  ).length;

describe('what arrives', () => {
  test('every event from then on, with the bytes of the feed and a signature that holds', async () => {
    await shop.addRule(CASH);
    const { secret } = await hook();
    const before = (await shop.feed()).length;
    await shop.buy('order');
    expect(await service.dispatch()).toBe(3);
    const told = (await shop.feed()).slice(before);
    expect(types()).toEqual(['event.recorded', 'reward.earned', 'reward.fulfilled']);
    expect(events()).toEqual(byId(told));
    vi.useFakeTimers({ now: service.clock.nowMs(), toFake: ['Date'] });
    for (const { headers, body, event } of listener.received) {
      expect(new Webhook(secret).verify(body, headers)).toEqual(event);
      expect(headers['webhook-id']).toBe(event.id);
      expect(body).toBe(JSON.stringify(told.find(({ id }) => id === event.id)));
    }
    vi.useRealTimers();
    expect(await service.dispatch()).toBe(0);
    expect(await queued()).toBe(0);
  });

  test('only the types that an endpoint asked for', async () => {
    await shop.addRule(CASH);
    await hook({ eventTypes: ['reward.earned', 'reward.voided'] });
    await shop.buy('order');
    await service.dispatch();
    expect(types()).toEqual(['reward.earned']);
  });

  test('to every endpoint by itself: one that fails keeps nothing from the other', async () => {
    const other = await listen();
    other.answer = () => 503;
    await hook();
    await hook({ url: other.url });
    await shop.buy('order');
    expect(await service.dispatch()).toBe(2);
    expect(await attempts()).toEqual(
      expect.arrayContaining([
        { outcome: 'succeeded', status: 200, reason: null },
        { outcome: 'retrying', status: 503, reason: null },
      ]),
    );
    expect(await queued()).toBe(1);
    await other.close();
  });
});

test('what receivers answered about somebody is forgotten when they are erased (D-PART-5)', async () => {
  const { id } = await hook();
  listener.words = ({ data }) => `hello ${data.participant?.externalId}`;
  const made = await Promise.all(
    ['carla-1', 'dora-2'].map((externalId) =>
      service.call('PUT', '/v1/participants', {
        as: shop.project.key,
        body: {
          projectId: shop.project.projectId,
          participant: { kind: 'individual', externalId },
        },
      }),
    ),
  );
  await service.dispatch();
  const answers = async () => {
    const path = `/v1/webhook-endpoints/${id}/deliveries`;
    const bodies = events().map(async (event) => {
      const { body } = await shop.read(`${path}/${event.id}`);
      return body.delivery.attempts.map((one: FeedEvent) => one.responseBody);
    });
    return (await Promise.all(bodies)).flat().toSorted();
  };
  expect(await answers()).toEqual(['hello carla-1', 'hello dora-2']);
  await service.call('DELETE', `/v1/participants/${made[0]?.body.data.id}`, {
    as: shop.project.key,
    query: { projectId: shop.project.projectId },
  });
  expect(await answers()).toEqual(['', 'hello dora-2']);
});

describe('retries (D-WH-4)', () => {
  test('the same bytes come again 30 s after the failure, then 60 s, and no sooner', async () => {
    await hook();
    listener.answer = (_, count) => (count < 3 ? 500 : 200);
    await shop.buy('order');
    await service.dispatch();
    for (const waitMs of [30_000, 60_000]) {
      service.clock.advance(waitMs - 1);
      expect(await service.dispatch()).toBe(0);
      service.clock.advance(1);
      expect(await service.dispatch()).toBe(1);
    }
    const bodies = listener.received.map(({ body }) => body);
    expect(new Set(bodies).size).toBe(1);
    expect(new Set(listener.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect((await attempts()).map(({ outcome }) => outcome)).toEqual([
      'retrying',
      'retrying',
      'succeeded',
    ]);
    expect(await queued()).toBe(0);
  });

  test('after the 80th attempt it has failed for good', async () => {
    await hook();
    listener.answer = () => 500;
    await shop.buy('order');
    expect(await service.dispatch()).toBe(1);
    await service.database.reads.query('update webhook_deliveries set attempts = 78');
    for (const _ of ['79th', '80th']) {
      expect(await queued()).toBe(1);
      service.clock.advance(HOUR_MS);
      expect(await service.dispatch()).toBe(1);
    }
    expect(await service.dispatch()).toBe(0);
    expect(await queued()).toBe(0);
    expect((await attempts()).at(-1)).toEqual({ outcome: 'failed', status: 500, reason: null });
  });

  test.each([301, 400, 410, 429])('%s is retried like the rest', async (status) => {
    await hook();
    listener.answer = () => status;
    await shop.buy('order');
    await service.dispatch();
    expect(await attempts()).toEqual([{ outcome: 'retrying', status, reason: null }]);
  });

  test('a receiver that is not there is retried, and the history says why', async () => {
    await hook({ url: 'http://127.0.0.1:1/hooks' });
    await shop.buy('order');
    await service.dispatch();
    expect(await attempts()).toEqual([
      { outcome: 'retrying', status: null, reason: 'connection_failed' },
    ]);
  });
});

describe('a grant by answer', () => {
  const reward = async (id: string) => (await shop.read(`/v1/rewards/${id}`)).body;
  const fulfilments = async () =>
    (await shop.feed()).filter(({ type }) => type === 'reward.fulfilled');

  test.each([200, 201, 204])('%s grants, once, in the name of the event', async (status) => {
    await shop.addRule(CASH);
    await hook();
    listener.answer = () => status;
    const { cash = '' } = await shop.buy('order');
    await service.dispatch();
    const earned = events().find(({ type }) => type === 'reward.earned');
    expect(await reward(cash)).toMatchObject({
      fulfillmentStatus: 'fulfilled',
      fulfillment: { actor: 'webhook', externalReference: earned?.id },
      delivery: { status: 'delivered', reason: null },
    });
    expect(await fulfilments()).toHaveLength(1);
    const again = await shop.post(`/v1/rewards/${cash}/fulfillment`, { externalReference: 'any' });
    expect(again.body.fulfillment.actor).toBe('webhook');
  });

  test.each([
    ['202', () => 202, 'on_delivery'],
    ['500', () => 500, 'on_delivery'],
    ['200 in explicit mode', () => 200, 'explicit'],
  ])('%s does not grant', async (_, answer, fulfillmentMode) => {
    await shop.addRule(CASH);
    await hook({ fulfillmentMode });
    listener.answer = answer;
    const { cash = '' } = await shop.buy('order');
    await service.dispatch();
    expect(await reward(cash)).toMatchObject({ fulfillmentStatus: 'pending', fulfillment: null });
    expect(await fulfilments()).toEqual([]);
  });

  test('a Reward that the service itself delivers is not granted by a 200 (D-RWD-8)', async () => {
    await shop.addRule(CASH);
    await shop.setDelivery({ cashMethod: 'payout' });
    await hook();
    const { cash = '' } = await shop.buy('order');
    await service.dispatch();
    expect(await reward(cash)).toMatchObject({ fulfillmentStatus: 'pending', fulfillment: null });
  });

  test('an answer to another event about the Reward grants nothing', async () => {
    await shop.addRule(CASH);
    await hook({ eventTypes: ['reward.voided'] });
    const { cash = '' } = await shop.buy('order');
    await shop.post(`/v1/rewards/${cash}/void`, { reasonCode: 'fraud' });
    await service.dispatch();
    expect(types()).toEqual(['reward.voided']);
    expect(await reward(cash)).toMatchObject({ fulfillmentStatus: 'cancelled', fulfillment: null });
  });

  test('the first record stays when two endpoints answer, or a call came before', async () => {
    await shop.addRule(CASH);
    const other = await listen();
    await hook();
    await hook({ url: other.url });
    const { cash: first = '' } = await shop.buy('order-1');
    await service.dispatch();
    expect((await reward(first)).fulfillment.actor).toBe('webhook');
    const { cash: second = '' } = await shop.buy('order-2');
    await shop.post(`/v1/rewards/${second}/fulfillment`, { externalReference: 'grant-7' });
    await service.dispatch();
    expect((await reward(second)).fulfillment).toMatchObject({
      actor: 'api',
      externalReference: 'grant-7',
    });
    expect(await fulfilments()).toHaveLength(2);
    await other.close();
  });

  test('one that was voided on the way is granted all the same, and to be taken back (D-RWD-8)', async () => {
    await shop.addRule({ benefitKind: 'discount', rateBps: 2_000 });
    await shop.addRule(CASH);
    await hook();
    listener.answer = async ({ type, data }) => {
      if (type === 'reward.earned') {
        await shop.post(`/v1/rewards/${data.reward.id}/void`, { reasonCode: 'fraud' });
      }
      return 200;
    };
    const ids = await shop.buy('order');
    await service.dispatch();
    expect(await reward(ids.discount ?? '')).toMatchObject({
      fulfillmentStatus: 'revocation_pending',
      fulfillment: { actor: 'webhook' },
      void: { reasonCode: 'fraud' },
    });
    expect(await reward(ids.cash ?? '')).toMatchObject({
      fulfillmentStatus: 'fulfilled',
      void: { reasonCode: 'fraud' },
    });
    expect(await fulfilments()).toHaveLength(2);
    const back = { externalReference: 'back' };
    const revoked = await shop.post(`/v1/rewards/${ids.discount}/revocation`, back);
    expect(revoked.body.fulfillmentStatus).toBe('revoked');
  });

  test('one that is earned again after its void was lifted is granted by the answer to that (D-RWD-11)', async () => {
    await shop.addRule({ benefitKind: 'discount', rateBps: 2_000 });
    await hook({ eventTypes: ['reward.earned', 'reward.voided'] });
    listener.answer = () => 202;
    const { discount = '' } = await shop.buy('order');
    const adjust = (sourceEventId: string, more: object) =>
      shop.post('/v1/track/adjustments', {
        sourceNamespaceId: shop.sourceNamespaceId,
        sourceEventId,
        purchase: { sourceEventId: 'order' },
        amountMinor: '1000',
        currency: 'USD',
        currencyExponent: 2,
        occurredAt: service.clock.now,
        ...more,
      });
    await adjust('refund', { kind: 'refund' });
    await service.dispatch();
    expect(await reward(discount)).toMatchObject({ fulfillmentStatus: 'cancelled' });
    await adjust('refund failed', { kind: 'restoration', restores: 'refund' });
    expect(await reward(discount)).toMatchObject({ fulfillmentStatus: 'pending', void: null });
    listener.answer = () => 200;
    await service.dispatch();
    expect(types()).toEqual(['reward.earned', 'reward.voided', 'reward.earned']);
    const again = events().at(-1);
    expect(again?.data.reward).toMatchObject({ id: discount, void: null });
    expect(await reward(discount)).toMatchObject({
      fulfillmentStatus: 'fulfilled',
      fulfillment: { actor: 'webhook', externalReference: again?.id },
    });
    expect(await fulfilments()).toHaveLength(1);
    expect(await service.dispatch()).toBe(0);
  });

  test('the mode that counts is that of the attempt’s start', async () => {
    await shop.addRule(CASH);
    const { id } = await hook();
    listener.answer = async ({ type }) => {
      if (type !== 'reward.earned') return 200;
      await service.database.transaction((tx) =>
        tx.query(
          `update webhook_endpoints set fulfillment_mode = 'explicit'
           where project_id = $1 and id = $2`,
          [shop.project.projectId, id],
        ),
      );
      return 200;
    };
    const { cash = '' } = await shop.buy('order');
    await service.dispatch();
    expect((await reward(cash)).fulfillmentStatus).toBe('fulfilled');
  });
});
