import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Tx } from '../../src/platform/db/database.ts';
import { addMs, MINUTE_MS } from '../../src/platform/kit/instant.ts';
import { openService, type TestProject, type TestService } from '../harness.ts';
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
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(async () => {
  project = await service.newProject();
  endpoint = await addEndpoint(service, project.projectId);
});

const inTx = <A>(body: (tx: Tx) => Promise<A>) => service.database.transaction(body);
const replay = async (body: object): Promise<number> => {
  const path = `/v1/webhook-endpoints/${endpoint.endpointId}/replay`;
  const answer = await service.call('POST', path, {
    as: project.key,
    body: { projectId: project.projectId, ...body },
  });
  expect([answer.status, answer.body]).toEqual([
    200,
    { success: true, queued: expect.any(Number) },
  ]);
  return answer.body.queued;
};
const listed = async (query: object = {}): Promise<{ eventId: string; status: string }[]> => {
  const path = `/v1/webhook-endpoints/${endpoint.endpointId}/deliveries`;
  const { body } = await service.call('GET', path, {
    as: project.key,
    query: { projectId: project.projectId, limit: 100, ...query },
  });
  return body.data;
};
const queue = () => readQueue(service, endpoint);
/** As a replay leaves it: due, among the retries, with all its attempts before it. */
const AGAIN = { position: 1, attempts: 0, isRetry: true, isDue: true, isLeased: false };
const until = () => addMs(service.clock.now, MINUTE_MS);

/** Resolves once another transaction waits for this one. */
async function isWaitedFor(tx: Tx): Promise<void> {
  if (tx.isDistributed) return isWaitedForOnNode(tx);
  const waiting = `select 1 from pg_locks
    where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`;
  while ((await tx.query(waiting)).length === 0);
}

/** On Citus they wait for each other on a node, of which every node is asked: by a connection of its own. */
async function isWaitedForOnNode(tx: Tx): Promise<void> {
  const url = new URL(process.env.TEST_CITUS_URL ?? '');
  const [row] = await tx.query<{ name: string }>('select current_database() as name');
  url.pathname = `/${row?.name}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    while ((await client.query('select 1 from citus_lock_waits')).rows.length === 0);
  } finally {
    await client.end();
  }
}

/** What a replay does that comes while a worker's transaction is open. */
async function replayDuring(work: (tx: Tx) => Promise<void>): Promise<number> {
  const eventIds = await appendEvents(service, project.projectId, 1);
  await inTx((tx) => lease(tx, endpoint, 1, until()));
  const { replaying } = await inTx(async (tx) => {
    await work(tx);
    const begun = replay({ eventIds });
    await isWaitedFor(tx);
    return { replaying: begun };
  });
  return replaying;
}

describe('a replay that comes while a worker', () => {
  test('records that it gave up queues it anew, and it is not listed as failed', async () => {
    const queued = await replayDuring((tx) =>
      recordAttempt(tx, endpoint, 1, { outcome: 'failed', startedAt: service.clock.now }),
    );
    expect(queued).toBe(1);
    expect(await queue()).toEqual([AGAIN]);
    expect(await listed({ status: 'failed' })).toEqual([]);
    await setQueue(service.database, endpoint, null);
    expect(await listed()).toMatchObject([{ status: 'dropped' }]);
  });

  test('records that it was taken sends it once more', async () => {
    const queued = await replayDuring((tx) =>
      recordAttempt(tx, endpoint, 1, { outcome: 'succeeded', startedAt: service.clock.now }),
    );
    expect(queued).toBe(1);
    expect(await queue()).toEqual([AGAIN]);
  });

  test('records that it is to be tried later makes it due at once', async () => {
    const queued = await replayDuring((tx) =>
      recordAttempt(tx, endpoint, 1, { outcome: 'retrying', startedAt: service.clock.now }),
    );
    expect(queued).toBe(1);
    expect(await queue()).toEqual([AGAIN]);
  });

  test('takes it up leaves it alone', async () => {
    const queued = await replayDuring((tx) => lease(tx, endpoint, 1, until()));
    expect(queued).toBe(0);
    expect(await queue()).toMatchObject([{ isLeased: true }]);
  });
});

test('a replay does not wait for the Project’s head, nor keep it', async () => {
  await appendEvents(service, project.projectId, 1_200);
  await inTx(async (tx) => {
    await tx.query('delete from webhook_deliveries where project_id = $1', [project.projectId]);
  });
  await inTx(async (tx) => {
    await tx.query('select 1 from project_heads where project_id = $1 for update', [
      project.projectId,
    ]);
    expect(await replay({ since: service.clock.now })).toBe(1_200);
  });
});

test('workers and replays at once lose nothing: all that was asked for is taken in the end', async () => {
  const events = 60;
  const eventIds = await appendEvents(service, project.projectId, events);
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  /** Takes up to ten that are due, and ends each somehow; returns how many. */
  const workOnce = async (outcomeOf: () => 'succeeded' | 'retrying' | 'failed') => {
    const claimed = await inTx(async (tx) => {
      const rows = await tx.query<{ position: bigint }>(
        `select position from webhook_deliveries
         where project_id = $1 and queue_id = $2 and lease_id is null
         order by is_retry, due_at, position limit 10 for update skip locked`,
        [project.projectId, endpoint.queueId],
      );
      for (const { position } of rows) await lease(tx, endpoint, Number(position), until());
      return rows.map(({ position }) => Number(position));
    });
    await inTx(async (tx) => {
      for (const position of claimed) {
        const startedAt = service.clock.now;
        await recordAttempt(tx, endpoint, position, { outcome: outcomeOf(), startedAt });
      }
    });
    return claimed.length;
  };
  const worker = async () => {
    for (let turn = 0; turn < 25; turn += 1) {
      await workOnce(() => (['succeeded', 'retrying', 'failed'] as const)[random(3)] ?? 'failed');
    }
  };
  const operator = async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const from = random(events - 20);
      await replay(
        turn % 3 === 0
          ? { since: service.clock.now }
          : { eventIds: eventIds.slice(from, from + 20) },
      );
    }
  };
  await Promise.all([worker(), worker(), operator(), operator()]);

  expect(await listed({ status: 'dropped' })).toEqual([]);
  await replay({ eventIds });
  expect(await listed({ status: 'failed' })).toEqual([]);
  while ((await workOnce(() => 'succeeded')) > 0);
  const told = await listed({ status: 'succeeded' });
  expect(told.map(({ eventId }) => eventId)).toEqual(eventIds.toReversed());
});
