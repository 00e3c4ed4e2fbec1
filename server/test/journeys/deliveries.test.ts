import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AttemptOutcome } from '../../src/outbound/webhooks/deliveries/delivery.ts';
import type {
  Delivery,
  DeliveryWithAttempts,
} from '../../src/outbound/webhooks/deliveries/delivery-schema.ts';
import type { DeliveryStatus } from '../../src/outbound/webhooks/deliveries/delivery-status.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { addMs } from '../../src/platform/kit/instant.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';
import { rounds } from '../rounds.ts';
import {
  addEndpoint,
  appendEvents,
  lease,
  recordAttempt,
  setQueue,
  type TestEndpoint,
} from '../webhook-rows.ts';

let service: TestService;
let project: TestProject;
let endpoint: TestEndpoint;
let path: string;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  project = await service.newProject();
  endpoint = await addEndpoint(service, project.projectId);
  path = `/v1/webhook-endpoints/${endpoint.endpointId}/deliveries`;
});

type Query = Record<string, string | number>;
const get = (target: string, query: Query = {}, from = project) =>
  service.call('GET', target, {
    as: from.key,
    query: { projectId: from.projectId, ...query },
  });
const list = async (query: Query = {}): Promise<Delivery[]> => (await get(path, query)).body.data;
const read = async (eventId: string): Promise<DeliveryWithAttempts> =>
  (await get(`${path}/${eventId}`)).body.delivery;

/** All pages, and how many rows each had. */
async function walk(query: Query): Promise<{ items: Delivery[]; sizes: number[] }> {
  const items: Delivery[] = [];
  const sizes: number[] = [];
  let cursor: string | null = null;
  do {
    const { body } = await get(path, { ...query, ...(cursor === null ? {} : { cursor }) });
    items.push(...body.data);
    sizes.push(body.data.length);
    cursor = body.nextCursor;
  } while (cursor !== null);
  return { items, sizes };
}

const append = (count: number) => appendEvents(service, project.projectId, count);
const inTx = (body: (tx: Tx) => Promise<void>) => service.database.transaction(body);
const attempt = (
  position: number,
  outcome: AttemptOutcome,
  answer?: { status: number; body: string },
) =>
  inTx((tx) =>
    recordAttempt(tx, endpoint, position, { outcome, startedAt: service.clock.now, answer }),
  );

test('the health of all endpoints is one call, from their latest attempts', async () => {
  const quiet = await addEndpoint(service, project.projectId);
  await append(120);
  const failedAt = service.clock.now;
  await attempt(1, 'failed', { status: 500, body: 'too old to count' });
  for (let position = 20; position < 120; position += 1) {
    await attempt(position, position === 30 ? 'retrying' : 'succeeded', {
      status: position === 30 ? 503 : 200,
      body: '',
    });
  }
  const { body } = await get('/v1/webhook-endpoints/health');
  const none = { attempts: 0, succeeded: 0, lastSuccessAt: null, lastFailure: null };
  expect(body.data).toEqual([
    {
      endpointId: endpoint.endpointId,
      attempts: 100,
      succeeded: 99,
      lastSuccessAt: service.clock.now,
      lastFailure: { at: failedAt, responseStatus: 503, failure: null },
    },
    { endpointId: quiet.endpointId, ...none },
  ]);
});

describe('what the list tells of a delivery', () => {
  test('one that is new waits to be sent at once', async () => {
    const [eventId] = await append(1);
    expect(await list()).toEqual([
      {
        eventId,
        eventType: 'participant.created',
        occurredAt: service.clock.now,
        status: 'pending',
        attemptCount: 0,
        isSending: false,
        nextAttemptAt: null,
        lastAttempt: null,
      },
    ]);
  });

  test('one that waits for a retry tells when, and why', async () => {
    await append(1);
    const startedAt = service.clock.now;
    await attempt(1, 'retrying', { status: 503, body: 'later' });
    service.clock.advance(1_000);
    const failedAt = service.clock.now;
    await attempt(1, 'retrying');
    const [delivery] = await list();
    expect(delivery).toMatchObject({
      status: 'pending',
      attemptCount: 2,
      isSending: false,
      nextAttemptAt: addMs(failedAt, 30_000),
    });
    expect(delivery?.lastAttempt).toEqual({
      startedAt: failedAt,
      outcome: 'retrying',
      responseStatus: null,
      latencyMs: 12,
      failure: { reason: 'timed_out', message: 'There was no answer in time.' },
    });
    expect((await read(delivery?.eventId ?? '')).attempts).toEqual([
      {
        id: expect.stringMatching(/^wha_/),
        number: 1,
        startedAt,
        outcome: 'retrying',
        responseStatus: 503,
        responseBody: 'later',
        latencyMs: 12,
        failure: null,
      },
      expect.objectContaining({ number: 2, responseStatus: null, responseBody: null }),
    ]);
  });

  test('one is being sent while a worker holds it, and waits again if that one died', async () => {
    await append(1);
    await attempt(1, 'retrying');
    await inTx((tx) => lease(tx, endpoint, 1, addMs(service.clock.now, 20_000)));
    expect(await list()).toMatchObject([
      { status: 'pending', isSending: true, nextAttemptAt: null },
    ]);
    service.clock.advance(20_000);
    expect(await list()).toMatchObject([
      { status: 'pending', isSending: false, nextAttemptAt: null },
    ]);
  });

  test('one that has ended is as its last attempt says', async () => {
    await append(2);
    await attempt(1, 'retrying');
    await attempt(1, 'succeeded', { status: 202, body: '' });
    await attempt(2, 'failed', { status: 410, body: 'gone' });
    expect(await list()).toMatchObject([
      { status: 'failed', attemptCount: 1, nextAttemptAt: null, isSending: false },
      { status: 'succeeded', attemptCount: 2, lastAttempt: { responseStatus: 202 } },
    ]);
  });

  test('one whose endpoint was disabled while it waited was dropped; untried, it is forgotten', async () => {
    await append(3);
    await attempt(1, 'succeeded');
    await attempt(2, 'retrying');
    await setQueue(service.database, endpoint, null);
    const dropped = [{ status: 'dropped', nextAttemptAt: null }, { status: 'succeeded' }];
    expect(await list()).toMatchObject(dropped);
    await setQueue(service.database, endpoint, 'whq_another');
    expect(await list()).toMatchObject(dropped);
    const [, , third] = await eventIds();
    expect((await get(`${path}/${third}`)).status).toBe(404);
  });

  const eventIds = async (): Promise<string[]> =>
    (await get('/v1/webhook-events')).body.events.map(({ id }: { id: string }) => id);
});

test('what was answered is told of one delivery, and never in the list', async () => {
  const [eventId = ''] = await append(1);
  const body = 'x'.repeat(65_536);
  await attempt(1, 'succeeded', { status: 200, body });
  expect(JSON.stringify(await list())).not.toContain('xxx');
  expect((await read(eventId)).attempts).toMatchObject([{ number: 1, responseBody: body }]);
});

test('of very many attempts the newest 100 are shown, under their numbers', async () => {
  const [eventId = ''] = await append(1);
  await inTx(async (tx) => {
    for (let n = 0; n < 105; n += 1) {
      const startedAt = addMs(service.clock.now, n);
      await recordAttempt(tx, endpoint, 1, { outcome: 'retrying', startedAt });
    }
  });
  const { attemptCount, attempts, lastAttempt } = await read(eventId);
  expect(attemptCount).toBe(105);
  expect(attempts.map(({ number }) => number)).toEqual(
    Array.from({ length: 100 }, (_, n) => n + 6),
  );
  expect(attempts.at(-1)).toMatchObject({ startedAt: lastAttempt?.startedAt });
});

/** What can have happened to a delivery, and what its status is then; null if nothing tells of it. */
const FATES = {
  new: 'pending',
  retrying: 'pending',
  leased: 'pending',
  succeeded: 'succeeded',
  late: 'succeeded',
  failed: 'failed',
  dropped: 'dropped',
  never: null,
} as const satisfies Record<string, DeliveryStatus | null>;
type Fate = keyof typeof FATES;

async function suffer(tx: Tx, position: number, fate: Fate, tries: number): Promise<void> {
  const { now } = service.clock;
  const record = (outcome: AttemptOutcome) =>
    recordAttempt(tx, endpoint, position, { outcome, startedAt: now });
  const forget = () =>
    tx.query(
      'delete from webhook_deliveries where project_id = $1 and queue_id = $2 and position = $3',
      [project.projectId, endpoint.queueId, position],
    );
  const isTried = !['new', 'never', 'succeeded'].includes(fate);
  for (let n = 0; n < (isTried ? tries : 0); n += 1) await record('retrying');
  if (fate === 'leased') await lease(tx, endpoint, position, addMs(now, 1));
  if (fate === 'succeeded' || fate === 'late') await record('succeeded');
  if (fate === 'failed') await record('failed');
  if (fate === 'never' || fate === 'dropped') await forget();
}

test('pages tell of every delivery once, newest first, with any status and limit', async () => {
  const fates = fc.array(
    fc.record({
      fate: fc.constantFrom(...(Object.keys(FATES) as Fate[])),
      tries: fc.integer({ min: 1, max: 4 }),
    }),
    { minLength: 1, maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(fates, fc.integer({ min: 1, max: 12 }), async (given, limit) => {
      project = await service.newProject();
      // Others' deliveries and attempts stand on both sides of them.
      const before = await addEndpoint(service, project.projectId);
      endpoint = await addEndpoint(service, project.projectId);
      const behind = await addEndpoint(service, project.projectId);
      path = `/v1/webhook-endpoints/${endpoint.endpointId}/deliveries`;
      const ids = await append(given.length);
      await inTx(async (tx) => {
        for (const [index, { fate, tries }] of given.entries()) {
          await suffer(tx, index + 1, fate, tries);
          for (const other of index % 3 === 0 ? [before, behind] : []) {
            const startedAt = service.clock.now;
            await recordAttempt(tx, other, index + 1, { outcome: 'failed', startedAt });
          }
        }
      });
      const expected = given
        .map(({ fate }, index) => ({ eventId: ids[index] as string, status: FATES[fate] }))
        .reverse()
        .filter(({ status }) => status !== null);
      const told = async (query: Query) =>
        (await walk({ limit, ...query })).items.map(({ eventId, status }) => ({ eventId, status }));
      expect(await told({})).toEqual(expected);
      for (const status of ['pending', 'succeeded', 'failed', 'dropped']) {
        expect(await told({ status })).toEqual(expected.filter((one) => one.status === status));
      }
    }),
    { numRuns: rounds(6, 20) },
  );
});

test('a page with a status looks only so far, and says where to go on', async () => {
  const [first] = await append(55);
  await attempt(1, 'succeeded');
  await inTx(async (tx) => {
    for (let position = 2; position <= 55; position += 1) {
      const startedAt = service.clock.now;
      await recordAttempt(tx, endpoint, position, { outcome: 'retrying', startedAt });
    }
  });
  const { items, sizes } = await walk({ status: 'succeeded', limit: 2 });
  expect(items.map(({ eventId }) => eventId)).toEqual([first]);
  expect(sizes).toEqual([0, 1]);
});

test('of one event alone, with its status if that is asked', async () => {
  const [, second = '', third = ''] = await append(3);
  await attempt(2, 'failed');
  await inTx(async (tx) => {
    await tx.query('delete from webhook_deliveries where project_id = $1 and position = 3', [
      project.projectId,
    ]);
  });
  expect(await list({ eventId: second })).toMatchObject([{ eventId: second, status: 'failed' }]);
  expect(await list({ eventId: second, status: 'failed' })).toHaveLength(1);
  expect(await list({ eventId: second, status: 'succeeded' })).toEqual([]);
  expect(await list({ eventId: third })).toEqual([]);
});

test('nothing is missing or told twice while workers go on', async () => {
  const ids = (await append(40)).reverse();
  const moves = Array.from({ length: 40 }, async (_, index) => {
    await attempt(index + 1, 'retrying');
    await attempt(index + 1, index % 2 === 0 ? 'succeeded' : 'failed');
  });
  const lists = Array.from({ length: 20 }, () => list({ limit: 100 }));
  for (const told of await Promise.all(lists)) {
    expect(told.map(({ eventId }) => eventId)).toEqual(ids);
    expect(told.filter(({ status }) => status === 'dropped')).toEqual([]);
  }
  await Promise.all(moves);
});

describe('it refuses', () => {
  test('an endpoint or event that is not there with 404, in another Project too', async () => {
    const [eventId = ''] = await append(1);
    const foreign = await service.newProject();
    const statuses = await Promise.all([
      get('/v1/webhook-endpoints/whe_nothing/deliveries'),
      get(`/v1/webhook-endpoints/whe_nothing/deliveries/${eventId}`),
      get(path, {}, foreign),
      get(`${path}/${eventId}`, {}, foreign),
      get(`${path}/wev_nothing`),
      get(path, { eventId: 'wev_nothing' }),
    ]);
    expect(statuses.map(({ status, body }) => [status, body.error.code])).toEqual(
      statuses.map(() => [404, 'NOT_FOUND']),
    );
  });

  test('an event that was never queued for it with 404', async () => {
    const [eventId = ''] = await append(1);
    const late = await addEndpoint(service, project.projectId);
    const target = `/v1/webhook-endpoints/${late.endpointId}/deliveries/${eventId}`;
    expect((await get(target)).status).toBe(404);
  });

  test.each<[string, Query]>([
    ['cursor', { cursor: 'rubbish' }],
    ['cursor', { cursor: Buffer.from('rewards 7').toString('base64url') }],
    ['limit', { limit: 0 }],
    ['limit', { limit: 101 }],
    ['status', { status: 'lost' }],
  ])('a bad %s with 400', async (field, query) => {
    const { status, body } = await get(path, query);
    expect([status, body.error.details[0].path]).toEqual([400, field]);
  });
});
