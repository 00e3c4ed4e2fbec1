import { afterAll, beforeAll, expect, test } from 'vitest';
import { openService, type TestService } from '../harness.ts';
import { openShop, type Shop } from '../shop.ts';

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  service = await openService();
  shop = await openShop(service);
});
afterAll(() => service.close());

const person = (externalId: string) => ({ kind: 'individual', externalId });
const track = (body: object) =>
  shop.post('/v1/track/events', { sourceNamespaceId: shop.sourceNamespaceId, ...body });

test.each(['/v1/participants', '/v1/events'])(
  'any offset is taken, and beyond the end is nothing: %s (D-GEN-9)',
  async (path) => {
    for (const offset of ['999999999', '9999999999', '1'.padEnd(400, '0')]) {
      const { status, body } = await shop.read(path, { offset });
      expect([status, body.data, body.hasMore, body.nextOffset]).toEqual([200, [], false, null]);
    }
    for (const offset of ['01', '-1', '1.0', ' 1', '']) {
      expect((await shop.read(path, { offset })).status).toBe(400);
    }
  },
);

test('types of your own keep their case and take . : and - (D-EVT-4)', async () => {
  const type = `custom_Trial.Started:v2-${'x'.repeat(40)}`;
  expect(type).toHaveLength(64);
  const rule = {
    programId: shop.programId,
    eventType: type,
    beneficiaryRole: 'referrer',
    name: 'Trial',
    terms: {
      benefitKind: 'custom',
      quantity: 1,
      unit: { key: 'gb', name: 'GB', namePlural: 'GB' },
    },
  };
  expect((await shop.post('/v1/benefit-rules', rule)).status).toBe(200);
  const bob = person('bob');
  const lower = await track({ type: type.toLowerCase(), participant: bob, sourceEventId: 't0' });
  const told = await track({ type, participant: bob, sourceEventId: 't1' });
  expect([lower.status, told.status]).toEqual([200, 200]);
  const earned = async (eventId: string) =>
    (await shop.read('/v1/rewards', { eventId })).body.data.length;
  expect([await earned(lower.body.eventId), await earned(told.body.eventId)]).toEqual([0, 1]);
  const listed = (await shop.read('/v1/events', { type })).body.data;
  expect(listed.map((event: { type: string }) => event.type)).toEqual([type]);
  for (const wrong of [`${type}x`, 'custom_', 'custom_a b', 'custom_ä', 'Custom_a']) {
    const answer = await track({ type: wrong, participant: bob, sourceEventId: 't2' });
    expect([wrong, answer.status]).toEqual([wrong, 400]);
  }
});

test('a signup without an id has one on the wire, which no other fact can have (D-TRACK-1)', async () => {
  const eve = person('eve');
  const { eventId, participantId } = (await track({ type: 'signup', participant: eve })).body;
  const id = `signup:${participantId}`;
  expect((await shop.read(`/v1/events/${eventId}`)).body.data.sourceEventId).toBe(id);
  const fed = (await shop.feed()).find(
    ({ type, data }) => type === 'event.recorded' && data.event.id === eventId,
  );
  expect(fed?.data.event.sourceEventId).toBe(id);
  const csv = await service.call('GET', '/v1/exports/events', {
    as: shop.project.key,
    query: { projectId: shop.project.projectId },
  });
  expect(csv.body).toContain(id);

  const again = await track({ type: 'signup', participant: eve, sourceEventId: id });
  expect(again.body.eventId).toBe(eventId);
  const others = [
    track({ type: 'purchase', participant: eve, sourceEventId: id }),
    track({ type: 'custom_x', participant: eve, sourceEventId: id }),
    track({ type: 'signup', participant: person('mallory'), sourceEventId: id }),
    shop.post('/v1/track/subscriptions', {
      sourceNamespaceId: shop.sourceNamespaceId,
      sourceEventId: id,
      participant: eve,
      subscriptionId: 's',
      change: 'started',
      occurredAt: service.clock.now,
    }),
  ];
  for (const answer of await Promise.all(others)) {
    expect([answer.status, answer.body.error?.reason]).toEqual([409, 'event_facts_differ']);
  }
});

test('a person known before may sign up under the id that the service would give', async () => {
  const participant = person('known');
  const known = await service.call('PUT', '/v1/participants', {
    as: shop.project.key,
    body: { projectId: shop.project.projectId, participant },
  });
  const sourceEventId = `signup:${known.body.data.id}`;
  const { body } = await track({ type: 'signup', participant, sourceEventId });
  expect((await shop.read(`/v1/events/${body.eventId}`)).body.data.sourceEventId).toBe(
    sourceEventId,
  );
  expect((await track({ type: 'signup', participant })).body).toEqual(body);
});
