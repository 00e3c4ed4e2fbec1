import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AttemptOutcome } from '../../src/outbound/webhooks/deliveries/delivery.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { addMs, DAY_MS, HOUR_MS } from '../../src/platform/kit/instant.ts';
import { openTestDatabase } from '../database.ts';
import { startService, type TestProject, type TestService } from '../harness.ts';
import {
  addEndpoint,
  appendEvents,
  lease,
  readQueue,
  recordAttempt,
  setQueue,
  type TestEndpoint,
} from '../webhook-rows.ts';

let service: TestService;
let project: TestProject;
let endpoint: TestEndpoint;
/** Projects that the dispatcher was told of by the last replay. */
let woken: string[] = [];
/** Runs before each transaction: what others do in between. */
let between: () => Promise<void>;
beforeAll(async () => {
  const database = await openTestDatabase();
  service = await startService({
    database: {
      ...database,
      async transaction(body) {
        await between();
        return database.transaction(body);
      },
    },
    onHint: (hint) => {
      if (hint?.hasDeliveries) woken.push(hint.projectId);
    },
  });
});
afterAll(() => service.close());
beforeEach(async () => {
  between = () => Promise.resolve();
  project = await service.newProject();
  endpoint = await addEndpoint(service, project.projectId);
});

const replay = (body: object, headers: Record<string, string> = {}) => {
  woken = [];
  return service.call('POST', `/v1/webhook-endpoints/${endpoint.endpointId}/replay`, {
    as: project.key,
    body: { projectId: project.projectId, ...body },
    headers,
  });
};
const queuedBy = async (body: object): Promise<number> => {
  const answer = await replay(body);
  expect([answer.status, answer.body]).toEqual([
    200,
    { success: true, queued: expect.any(Number) },
  ]);
  return answer.body.queued;
};
const statuses = async (query: object = {}): Promise<string[]> => {
  const { body } = await service.call(
    'GET',
    `/v1/webhook-endpoints/${endpoint.endpointId}/deliveries`,
    { as: project.key, query: { projectId: project.projectId, ...query } },
  );
  return body.data.map(({ status }: { status: string }) => status).reverse();
};
const append = (count: number, type?: Parameters<typeof appendEvents>[3]) =>
  appendEvents(service, project.projectId, count, type);
const inTx = (body: (tx: Tx) => Promise<void>) => service.database.transaction(body);
const attempt = (position: number, outcome: AttemptOutcome) =>
  inTx((tx) => recordAttempt(tx, endpoint, position, { outcome, startedAt: service.clock.now }));
const queue = () => readQueue(service, endpoint);
const positions = async () => (await queue()).map(({ position }) => position);

const AS_NEW = { attempts: 0, isRetry: false, isDue: true, isLeased: false };
/** Among the retries, so that nothing new waits behind it. */
const AGAIN = { attempts: 0, isRetry: true, isDue: true, isLeased: false };
const HELD = { attempts: 1, isRetry: true, isDue: false, isLeased: true };

describe('events by their ids', () => {
  test('become due at once as if they were new, whatever became of them; one being sent is left alone', async () => {
    const ids = await append(5);
    await attempt(1, 'succeeded');
    await attempt(2, 'failed');
    await attempt(3, 'retrying');
    await attempt(4, 'retrying');
    await inTx((tx) => lease(tx, endpoint, 4, addMs(service.clock.now, HOUR_MS)));
    expect(await queuedBy({ eventIds: ids })).toBe(3);
    expect(await queue()).toEqual([
      { position: 1, ...AGAIN },
      { position: 2, ...AGAIN },
      { position: 3, ...AGAIN },
      { position: 4, ...HELD },
      { position: 5, ...AS_NEW },
    ]);
    expect(await statuses()).toEqual(Array(5).fill('pending'));
    expect(woken).toEqual([project.projectId]);
  });

  test('are sent though they were never queued, and though the endpoint does not subscribe', async () => {
    const ids = await append(2, 'reward.voided');
    endpoint = await addEndpoint(service, project.projectId, ['participant.created']);
    expect(await queuedBy({ eventIds: ids })).toBe(2);
    expect(await queue()).toEqual([
      { position: 1, ...AGAIN },
      { position: 2, ...AGAIN },
    ]);
  });

  test('are queued once, however often that is asked', async () => {
    const ids = await append(3);
    await inTx(async (tx) => {
      for (const position of [1, 2, 3]) {
        const startedAt = service.clock.now;
        await recordAttempt(tx, endpoint, position, { outcome: 'succeeded', startedAt });
      }
    });
    const counts = await Promise.all([
      queuedBy({ eventIds: ids }),
      queuedBy({ eventIds: ids.toReversed() }),
      queuedBy({ since: addMs(service.clock.now, -DAY_MS) }),
    ]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
    expect(await positions()).toEqual([1, 2, 3]);
  });

  test('of which one does not exist queue nothing, and that one is named', async () => {
    const [known] = await append(1);
    await attempt(1, 'succeeded');
    const { status, body } = await replay({ eventIds: [known, 'wev_nothing'] });
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
    expect(body.error.message).toContain('wev_nothing');
    expect(body.error.details).toMatchObject([{ path: 'eventIds.1' }]);
    expect(await queue()).toEqual([]);
    expect(woken).toEqual([]);
  });
});

describe('what had failed', () => {
  beforeEach(async () => {
    const ids = await append(3);
    await attempt(1, 'failed');
    await attempt(2, 'failed');
    await attempt(3, 'succeeded');
    expect(await statuses({ status: 'failed' })).toHaveLength(2);
    expect(await queuedBy({ eventIds: ids })).toBe(3);
    expect(await statuses({ status: 'failed' })).toEqual([]);
  });

  test('is no longer listed as failed once it is replayed, and is again if it fails again', async () => {
    await attempt(1, 'succeeded');
    await attempt(2, 'failed');
    expect(await statuses()).toEqual(['succeeded', 'failed', 'pending']);
    expect(await statuses({ status: 'failed' })).toEqual(['failed']);
    expect(await statuses({ status: 'succeeded' })).toEqual(['succeeded']);
  });

  test('was dropped if the endpoint is disabled before it is sent; what was taken before stays so', async () => {
    await setQueue(service.database, endpoint, null);
    expect(await statuses()).toEqual(['dropped', 'dropped', 'succeeded']);
    expect(await statuses({ status: 'dropped' })).toEqual(['dropped', 'dropped']);
    expect(await statuses({ status: 'failed' })).toEqual([]);
  });

  test('keeps its history', async () => {
    await attempt(1, 'succeeded');
    const path = `/v1/webhook-endpoints/${endpoint.endpointId}/deliveries`;
    const read = (more = '') =>
      service.call('GET', path + more, {
        as: project.key,
        query: { projectId: project.projectId },
      });
    const { eventId } = (await read()).body.data.at(-1);
    const found = await read(`/${eventId}`);
    expect(found.body.delivery).toMatchObject({
      attemptCount: 2,
      attempts: [
        { number: 1, outcome: 'failed' },
        { number: 2, outcome: 'succeeded' },
      ],
    });
  });
});

describe('everything since a time', () => {
  test('is every event of that moment or later, and none before', async () => {
    await append(2);
    service.clock.advance(1_000);
    const since = service.clock.now;
    await append(2);
    service.clock.advance(1_000);
    await append(1);
    await emptyQueue();
    expect(await queuedBy({ since })).toBe(3);
    expect(await queue()).toEqual([3, 4, 5].map((position) => ({ position, ...AGAIN })));
    await emptyQueue();
    expect(await queuedBy({ since: addMs(since, 1) })).toBe(1);
    expect(await queuedBy({ since: '2001-01-01T00:00:00+14:00' })).toBe(4);
    expect(await queuedBy({ since: addMs(service.clock.now, 1) })).toBe(0);
    expect(await positions()).toEqual([1, 2, 3, 4, 5]);
  });

  test('leaves out types that the endpoint does not subscribe to', async () => {
    endpoint = await addEndpoint(service, project.projectId, ['reward.earned']);
    await append(2);
    await append(2, 'reward.earned');
    await append(1, 'reward.voided');
    await emptyQueue();
    expect(await queuedBy({ since: service.clock.now })).toBe(2);
    expect(await positions()).toEqual([3, 4]);
  });

  test('goes by the Project’s clock (D-CLOCK-1)', async () => {
    await append(1);
    const now = addMs(service.clock.now, 30 * DAY_MS);
    await service.call('PUT', `/v1/projects/${project.projectId}/clock`, {
      as: project.key,
      body: { now },
    });
    await append(1);
    await emptyQueue();
    expect(await queuedBy({ since: addMs(service.clock.now, DAY_MS) })).toBe(1);
    expect(await positions()).toEqual([2]);
  });

  test('is nothing in a Project without events', async () => {
    expect(await queuedBy({ since: service.clock.now })).toBe(0);
  });

  test('goes in slices, so that no transaction is long, and tells the dispatcher after each', async () => {
    await appendMany(2_500);
    await emptyQueue();
    let transactions = 0;
    between = async () => {
      transactions += 1;
    };
    expect(await queuedBy({ since: service.clock.now })).toBe(2_500);
    // The first looks at the endpoint and tells the audit log.
    expect(transactions).toBe(4);
    expect(woken).toEqual(Array(3).fill(project.projectId));
    expect(await positions()).toEqual(Array.from({ length: 2_500 }, (_, n) => n + 1));
  });

  test('ends at the end that the feed had: what comes meanwhile is queued by its own', async () => {
    await appendMany(1_500);
    await emptyQueue();
    let once = true;
    between = async () => {
      if (!once || (await queue()).length === 0) return;
      once = false;
      await append(10);
    };
    expect(await queuedBy({ since: service.clock.now })).toBe(1_500);
    expect(await positions()).toEqual(Array.from({ length: 1_510 }, (_, n) => n + 1));
  });

  test.each([
    ['disabled', 409, () => setQueue(service.database, endpoint, null)],
    ['disabled and enabled again', 409, () => setQueue(service.database, endpoint, 'whq_new')],
    ['deleted', 404, () => deleteEndpoint()],
  ])('stops when the endpoint is %s meanwhile', async (_, status, change) => {
    await appendMany(1_500);
    await emptyQueue();
    between = async () => {
      if ((await queue()).length === 0) return;
      between = () => Promise.resolve();
      await change();
    };
    const answer = await replay({ since: service.clock.now });
    expect(answer.status).toBe(status);
    if (status === 409) expect(answer.body.error.reason).toBe('endpoint_disabled');
    // What it left waits under a queue that is nobody's.
    expect(await queue()).toHaveLength(1_000);
    expect(await readQueue(service, { ...endpoint, queueId: 'whq_new' })).toEqual([]);
  });

  test('goes on where it broke off when it is called again', async () => {
    await appendMany(1_500);
    await emptyQueue();
    between = async () => {
      if ((await queue()).length === 0) return;
      between = () => Promise.resolve();
      throw new Error('the process was killed');
    };
    expect((await replay({ since: service.clock.now })).status).toBe(500);
    expect(await queuedBy({ since: service.clock.now })).toBe(500);
    expect(await positions()).toEqual(Array.from({ length: 1_500 }, (_, n) => n + 1));
  });

  const emptyQueue = () =>
    inTx(async (tx) => {
      await tx.query('delete from webhook_deliveries where project_id = $1', [project.projectId]);
    });
  const deleteEndpoint = () =>
    inTx(async (tx) => {
      await tx.query('delete from webhook_endpoints where project_id = $1 and id = $2', [
        project.projectId,
        endpoint.endpointId,
      ]);
    });
  const appendMany = async (count: number) => {
    for (let left = count; left > 0; left -= 500) await append(Math.min(left, 500));
  };
});

test('an Idempotency-Key makes a repeat queue nothing more (D-IDEM-1)', async () => {
  const eventIds = await append(1);
  await attempt(1, 'succeeded');
  const again = () => replay({ eventIds }, { 'idempotency-key': 'once' });
  expect((await again()).body).toEqual({ success: true, queued: 1 });
  await attempt(1, 'succeeded');
  expect((await again()).body).toEqual({ success: true, queued: 1 });
  expect(await queue()).toEqual([]);
});

test('the audit log tells who replayed what', async () => {
  const eventIds = await append(1);
  const since = service.clock.now;
  await queuedBy({ eventIds });
  await queuedBy({ since });
  const { body } = await service.call('GET', '/v1/audit-log', {
    as: 'operator',
    query: { workspaceId: project.workspaceId, projectId: project.projectId },
  });
  const told = body.data.filter(({ action }: { action: string }) => action.endsWith('.replay'));
  const target = { targetType: 'webhook_endpoint', targetId: endpoint.endpointId };
  expect(told).toMatchObject([
    { action: 'webhook_endpoint.replay', ...target, changes: { since }, actorType: 'key' },
    { action: 'webhook_endpoint.replay', ...target, changes: { eventIds }, actorType: 'key' },
  ]);
});

describe('it refuses', () => {
  test.each([
    ['neither eventIds nor since', {}, 'eventIds'],
    ['both as null', { eventIds: null, since: null }, 'eventIds'],
    ['both', { eventIds: ['wev_1'], since: '2026-11-15T09:30:00Z' }, 'since'],
    ['no event', { eventIds: [] }, 'eventIds'],
    ['an event twice', { eventIds: ['wev_1', 'wev_1'] }, 'eventIds'],
    ['101 events', { eventIds: Array.from({ length: 101 }, (_, n) => `wev_${n}`) }, 'eventIds'],
    ['a date', { since: '2026-11-15' }, 'since'],
    ['what it does not know', { eventIds: ['wev_1'], until: '2026-11-15T09:30:00Z' }, 'until'],
  ])('%s with 400', async (_, body, path) => {
    const answer = await replay(body);
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, path]);
  });

  test('a disabled endpoint with 409', async () => {
    const eventIds = await append(1);
    await setQueue(service.database, endpoint, null);
    for (const body of [{ eventIds }, { since: service.clock.now }]) {
      const answer = await replay(body);
      expect([answer.status, answer.body.error.reason]).toEqual([409, 'endpoint_disabled']);
    }
  });

  test('an endpoint that is not there, or is another Project’s, with 404', async () => {
    const eventIds = await append(1);
    const foreign = await service.newProject();
    const other = await addEndpoint(service, foreign.projectId);
    for (const endpointId of ['whe_nothing', other.endpointId]) {
      endpoint = { ...endpoint, endpointId };
      expect((await replay({ eventIds })).status).toBe(404);
      expect((await replay({ since: service.clock.now })).status).toBe(404);
    }
  });
});
