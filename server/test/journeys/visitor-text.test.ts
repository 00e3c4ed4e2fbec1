import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openService, type TestService } from '../harness.ts';
import { rounds } from '../rounds.ts';
import { openShop, type Shop } from '../shop.ts';

let service: TestService;
let shop: Shop;
beforeAll(async () => {
  service = await openService();
  shop = await openShop(service);
});
afterAll(() => service.close());

const VISITOR_TEXTS = [
  ['NUL', 'a\u0000b'],
  ['NUL alone', '\u0000'],
  ['half a surrogate pair', 'ada\ud800'],
  ['the other half', '\udc00'],
  ['100,000 characters', 'x'.repeat(100_000)],
  ['a handle with NUL behind it', `hdl_${'0'.repeat(26)}\u0000`],
  ['a code with NUL behind it', 'ada\u0000'],
  ['a name of every object', '__proto__'],
  ['letters that grow in lower case', 'İ'.repeat(50)],
] as const;

let people = 0;
const newPerson = () => ({ kind: 'individual', externalId: `visitor-${++people}` });
const signup = (rest: object) => ({
  sourceNamespaceId: shop.sourceNamespaceId,
  type: 'signup',
  participant: newPerson(),
  ...rest,
});
const refused = { identified: false, identifyReason: 'not_a_handle', attribution: null };

describe('what a visitor controls never fails a signup (D-TRACK-1)', () => {
  test.each(VISITOR_TEXTS)('%s as cookie and as code', async (_name, text) => {
    const body = signup({ identify: { handle: text }, refCode: text });
    for (const path of ['/v1/simulations/events', '/v1/track/events']) {
      const answer = await shop.post(path, body);
      expect([path, answer.status]).toEqual([path, 200]);
      const told = answer.body.data?.response ?? answer.body;
      expect(told).toMatchObject({ ...refused, refCode: { accepted: false } });
    }
    const { eventId } = (await shop.post('/v1/track/events', body)).body;
    const event = (await shop.read(`/v1/events/${eventId}`)).body.data;
    expect(event.normalizedFacts).toEqual({ purchase: null, properties: {} });
    const explained = await shop.read(`/v1/events/${eventId}/explanation`);
    expect(explained.body.data).toEqual({ candidates: [], rules: [], risk: null });
  });

  test('any text whatever', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 80 }).map(fromUnits),
      fc.constantFrom(...VISITOR_TEXTS.map(([, one]) => one)),
    );
    const handle = text.filter((one) => /\S/.test(one));
    await fc.assert(
      fc.asyncProperty(handle, text, async (cookie, refCode) => {
        const { status, body } = await shop.post(
          '/v1/track/events',
          signup({ identify: { handle: cookie }, refCode }),
        );
        expect(status).toBe(200);
        expect(body).toMatchObject({ ...refused, refCode: { accepted: false } });
      }),
      { numRuns: rounds(20, 60) },
    );
  });

  test('such a code on a purchase is ignored as any other', async () => {
    const { status, body } = await shop.post('/v1/track/events', {
      ...signup({ refCode: 'a\u0000' }),
      type: 'purchase',
      sourceEventId: 'order-with-nul',
    });
    expect([status, body.refCode]).toEqual([200, { accepted: false, reason: 'not_a_signup' }]);
  });

  test.each(VISITOR_TEXTS)('identifying %s is 404 and makes nobody', async (_name, handle) => {
    const participant = newPerson();
    for (const rest of [{ participant }, { reference: { key: 'k' } }]) {
      const { status, body } = await shop.post('/v1/identify', { handle, ...rest });
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
    }
    const found = await shop.read('/v1/participants', { externalId: participant.externalId });
    expect(found.body.data).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['no handle', {}],
    ['an empty one', { handle: '' }],
    ['a blank one', { handle: ' \t\n' }],
    ['a number', { handle: 7 }],
  ])('identify with %s is 400', async (_name, identify) => {
    expect((await shop.post('/v1/track/events', signup({ identify }))).status).toBe(400);
  });

  test.each([7, true, ['ada'], {}])('a refCode of %o is 400', async (refCode) => {
    expect((await shop.post('/v1/track/events', signup({ refCode }))).status).toBe(400);
  });

  test('the same texts elsewhere are still refused', async () => {
    for (const rest of [
      { participant: { kind: 'individual', externalId: 'a\u0000' } },
      { sourceEventId: '\ud800' },
      { properties: { note: 'a\u0000' } },
      { properties: { 'a\u0000': 1 } },
      { identify: { handle: 'x', 'a\u0000': 1 } },
    ]) {
      expect((await shop.post('/v1/track/events', signup(rest))).status).toBe(400);
    }
  });

  test('an Idempotency-Key tells such bodies apart', async () => {
    const body = signup({ refCode: 'a\ud800' });
    const post = (sent: object) =>
      service.call('POST', '/v1/track/events', {
        as: shop.project.key,
        body: { projectId: shop.project.projectId, ...sent },
        headers: { 'idempotency-key': 'visitor' },
      });
    const first = await post(body);
    expect(first.status).toBe(200);
    expect((await post(body)).body).toEqual(first.body);
    expect((await post({ ...body, refCode: 'a\ud801' })).body.error.reason).toBe(
      'idempotency_key_reused',
    );
  });
});

describe('an item of a batch fails alone (D-BATCH-1)', () => {
  const send = async (events: readonly unknown[], headers?: Record<string, string>) => {
    const { status, body } = await service.call('POST', '/v1/track/events/batch', {
      as: shop.project.key,
      body: { projectId: shop.project.projectId, events },
      ...(headers ? { headers } : {}),
    });
    expect(status).toBe(200);
    expect(body.results).toHaveLength(events.length);
    return body.results;
  };

  const bad = (): [unknown, string][] => [
    [
      signup({ participant: { kind: 'individual', externalId: 'a\u0000' } }),
      'participant.externalId',
    ],
    [signup({ sourceEventId: 'a\ud800' }), 'sourceEventId'],
    [signup({ properties: { note: '\udc00' } }), 'properties.note'],
    [signup({ properties: { 'a\u0000': 1 } }), 'properties'],
    [JSON.parse('{"__proto__":{}}'), ''],
    [signup({ 'a\ud800': 1 }), ''],
    [signup({ identify: {} }), 'identify.handle'],
    [signup({ projectId: 'prj_other' }), 'projectId'],
    [signup({ projectId: 7 }), 'projectId'],
    ['\u0000', ''],
  ];

  test('with text that cannot be stored, or of another Project', async () => {
    const items = bad();
    const events = items.flatMap(([item]) => [item, signup({})]);
    const results = await send(events, { 'idempotency-key': 'bad-items' });
    for (const [index, [, path]] of items.entries()) {
      const { success, error } = results[2 * index];
      expect([success, error.code, error.details[0].path]).toEqual([
        false,
        'INVALID_REQUEST',
        path,
      ]);
      expect(results[2 * index + 1]).toMatchObject({ success: true });
    }
  });

  test('an item may repeat the projectId of the call', async () => {
    const { projectId } = shop.project;
    const results = await send([signup({ projectId }), signup({ projectId: null })]);
    expect(results).toMatchObject([{ success: true }, { success: true }]);
  });

  test('rubbish of visitors is rubbish there, too', async () => {
    const rubbish = VISITOR_TEXTS.map(([, text]) =>
      signup({ identify: { handle: text.slice(0, 5000) }, refCode: text }),
    );
    for (const result of await send(rubbish)) {
      expect(result).toMatchObject({ success: true, ...refused, refCode: { accepted: false } });
    }
  });

  test('any items whatever: one answer each, and the good ones are taken', async () => {
    const unit = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 6 }).map(fromUnits);
    const value = fc.oneof(unit, fc.integer(), fc.constant(null), fc.dictionary(unit, unit));
    const item = fc.oneof(
      value,
      fc
        .record(
          {
            identify: fc.record({ handle: value }),
            refCode: value,
            sourceEventId: value,
            properties: value,
          },
          { requiredKeys: [] },
        )
        .map((rest) => ({ isEvent: true, rest })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 8 }), async (items) => {
        const events = items.map((one) =>
          one !== null && typeof one === 'object' && 'isEvent' in one
            ? signup((one as { rest: object }).rest)
            : one,
        );
        const results = await send([...events, signup({})]);
        expect(results.at(-1)).toMatchObject({ success: true });
        for (const { success, error } of results) {
          expect(success || error.code === 'INVALID_REQUEST' || error.code === 'CONFLICT').toBe(
            true,
          );
        }
      }),
      { numRuns: rounds(15, 40) },
    );
  });
});

/** A text of these UTF-16 units, whole characters or not. */
function fromUnits(units: readonly number[]): string {
  return String.fromCharCode(...units);
}
