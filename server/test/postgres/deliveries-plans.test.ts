import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  deleteAttempts,
  listOldAttempts,
} from '../../src/outbound/webhooks/dispatch/attempt-store.ts';
import { createDatabase } from '../../src/platform/db/database.ts';
import { openPostgres } from '../../src/platform/db/postgres.ts';
import { findRangeSince } from '../../src/platform/feed/queries.ts';
import { listOf, sealCursor } from '../../src/platform/http/routes/list-cursor.ts';
import { encodeNumberCursor } from '../../src/platform/http/routes/paging.ts';
import type { Route } from '../../src/platform/http/routes/route.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { copyPostgres } from '../database.ts';
import {
  type CallOptions,
  ROOT_KEY,
  startService,
  type TestProject,
  type TestService,
} from '../harness.ts';
import { rounds } from '../rounds.ts';
import { addEndpoint, appendEvents, type TestEndpoint } from '../webhook-rows.ts';
import { countReads, type Reading } from './count-reads.ts';

const EVENTS = rounds(60_000, 300_000);
/** The newest wait, each after three attempts; so many more were never tried. */
const WAITING = rounds(20_000, 100_000);
const UNTRIED = 1_000;
const ATTEMPTS = 3;
/** A page has 50 deliveries, and one is looked at beyond it. */
const READ_MAX = 1_000;
const SLICE_READ_MAX = 10_000;

let copy: Awaited<ReturnType<typeof copyPostgres>>;
let service: TestService;
let project: TestProject;
let endpoint: TestEndpoint;
/** That of the first. */
let eventId: string;
let readings: Promise<Reading>[] = [];
let begun = 0;

beforeAll(async () => {
  copy = await copyPostgres();
  await query(
    ...['feed_events', 'webhook_deliveries', 'webhook_attempts'].map(
      (table) => `alter table ${table} set (autovacuum_enabled = false)`,
    ),
  );
  const driver = openPostgres({
    connectionString: copy.url,
    poolSize: 1,
    onIdleError: () => undefined,
  });
  const begin = () => {
    begun += 1;
    return countReads(driver.begin(), (reading) => readings.push(reading));
  };
  service = await startService({ database: createDatabase({ ...driver, begin }) });
  project = await service.newProject();
  endpoint = await addEndpoint(service, project.projectId);
  [eventId = ''] = await appendEvents(service, project.projectId, 1);
  // Plans are made while the tables are empty, as in a new store.
  for (const call of Object.values(CALLS)) await call();
  await fill();
});
afterAll(async () => {
  await service.close();
  await copy.drop();
});

async function query(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: copy.url });
  await client.connect();
  try {
    for (const one of statements) await client.query(one);
  } finally {
    await client.end();
  }
}

/** The endpoint's own history, and beside it another's, and one event of each of many Projects. */
async function fill(): Promise<void> {
  const { projectId, endpointId, queueId } = endpoint;
  const other = await addEndpoint(service, projectId);
  const at = (n: string) => `timestamptz '2026-10-01T00:00:00Z' + ${n} * interval '1 second'`;
  const outcome = `case when k < ${ATTEMPTS} or n > ${EVENTS - WAITING} then 'retrying'
    when n % 1000 = 0 then 'failed' else 'succeeded' end`;
  const attempts = (id: string, events: number) =>
    `insert into webhook_attempts (project_id, endpoint_id, position, id, started_at, outcome,
       response_status, latency_ms)
     select '${projectId}', '${id}', n, 'wha_' || n || '_' || k, ${at('n')}, ${outcome}, 500, 9
     from generate_series(1, ${events}) as n, generate_series(1, ${ATTEMPTS}) as k`;
  const queued = (id: string, from: number) =>
    `insert into webhook_deliveries (project_id, queue_id, position, attempts, is_retry, due_at)
     select '${projectId}', '${id}', n, ${ATTEMPTS}, n <= ${EVENTS}, ${at('n')}
     from generate_series(${from}, ${EVENTS + UNTRIED}) as n`;
  await query(
    'set synchronous_commit = off',
    'delete from webhook_deliveries',
    `insert into feed_events (project_id, position, id, type, occurred_at, data)
     select '${projectId}', n, 'wev_' || n, 'reward.earned', ${at('n')}, '{}'
     from generate_series(2, ${EVENTS + UNTRIED}) as n`,
    `insert into feed_events (project_id, position, id, type, occurred_at, data)
     select 'prj_' || n, 1, 'wev', 'reward.earned', ${at('n')}, '{}'
     from generate_series(1, 3000) as n`,
    `update project_heads set feed_position = ${EVENTS + UNTRIED}
     where project_id = '${projectId}'`,
    attempts(endpointId, EVENTS),
    attempts(other.endpointId, EVENTS / 3),
    queued(queueId, EVENTS - WAITING + 1),
    queued(other.queueId, EVENTS),
  );
}

async function read<A>(body: () => Promise<A>): Promise<{ answer: A; read: Reading[] }> {
  readings = [];
  const answer = await body();
  return { answer, read: await Promise.all(readings) };
}

/** Holds every statement of this to reading little. */
async function frugally<A>(body: () => Promise<A>, max = READ_MAX): Promise<A> {
  const { answer, read: all } = await read(body);
  expect(all.length).toBeGreaterThan(0);
  expect(all.filter(({ rows }) => rows > max)).toEqual([]);
  return answer;
}

async function call(method: 'GET' | 'POST', path: string, options: CallOptions, max?: number) {
  const target = `/v1/webhook-endpoints/${endpoint.endpointId}${path}`;
  const answer = await frugally(
    () => service.call(method, target, { as: project.key, ...options }),
    max,
  );
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body;
}
const list = (query: Record<string, string> = {}) =>
  call('GET', '/deliveries', { query: { projectId: project.projectId, ...query } });
const replay = (body: object, max?: number) =>
  call('POST', '/replay', { body: { projectId: project.projectId, ...body } }, max);
const LIST = '/v1/webhook-endpoints/{endpointId}/deliveries';
/** A cursor far down in the list with these filters. */
const cursorAt = (position: number, filters: object = {}) => {
  const route = service.routes.find(({ path }) => path === LIST) as Route;
  const { endpointId } = endpoint;
  const { projectId } = project;
  const list = listOf(route, { endpointId }, { projectId, ...filters });
  const place = encodeNumberCursor('deliveries', projectId, position);
  return sealCursor(createKeyring(ROOT_KEY), list, place);
};

const CALLS: Readonly<Record<string, () => Promise<void>>> = {
  'the newest deliveries, and those far down': async () => {
    await list();
    await list({ cursor: cursorAt(EVENTS) });
    await list({ cursor: cursorAt(EVENTS / 3) });
  },
  'deliveries of each status, with what lies above them': async () => {
    for (const status of ['pending', 'succeeded', 'failed', 'dropped']) {
      await list({ status });
      await list({ status, cursor: cursorAt(EVENTS / 2, { status }) });
    }
  },
  'one delivery with its attempts': async () => {
    await call('GET', `/deliveries/${eventId}`, { query: { projectId: project.projectId } });
    await list({ eventId });
  },
  'a replay of an event': async () => {
    await replay({ eventIds: [eventId] });
  },
  'a replay since a time': async () => {
    await replay({ since: '2026-10-04T00:00:00Z' }, SLICE_READ_MAX);
  },
  'attempts whose time is over': async () => {
    const before = '2026-10-02T00:00:00.000Z';
    await frugally(() =>
      service.database.transaction(async (tx) => {
        const old = await listOldAttempts(tx, before, 100);
        await deleteAttempts(tx, project.projectId, old);
      }),
    );
  },
  'where a time is in the feed': async () => {
    await frugally(() =>
      service.database.transaction((tx) =>
        findRangeSince(tx, project.projectId, '2026-10-02T00:00:00.000Z'),
      ),
    );
  },
};

describe.each([
  ['new', []],
  ['analysed', ['analyze']],
])('of a store that is %s and holds a million attempts, little is read for', (_, statements) => {
  beforeAll(async () => {
    await query(...statements);
    // The plans of before are forgotten once as many transactions again have been.
    for (let left = begun; left > 0; left -= 1) {
      await service.database.transaction((tx) => tx.query('select 1'));
    }
  });

  test.each(Object.entries(CALLS))('%s', (_name, body) => body());
});

test('a statement that reads the whole history is noticed', async () => {
  const { read: all } = await read(() =>
    service.database.transaction((tx) =>
      tx.query('select 1 from webhook_attempts where project_id = $1 and latency_ms < 0', [
        project.projectId,
      ]),
    ),
  );
  expect(all.map(({ rows }) => rows > EVENTS * ATTEMPTS)).toEqual([true]);
});
