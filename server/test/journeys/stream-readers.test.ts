import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { openTestDatabase } from '../database.ts';
import { hangUpAll, type Received, readStream } from '../event-stream.ts';
import {
  type ServiceOptions,
  startService,
  type TestProject,
  type TestService,
} from '../harness.ts';

const services: TestService[] = [];
afterEach(async () => {
  await hangUpAll();
  await Promise.all(services.splice(0).map((service) => service.close()));
});

async function start(options: ServiceOptions = {}): Promise<TestService> {
  const service = await startService(options);
  services.push(service);
  return service;
}

const follow = (service: TestService, of: TestProject, lastEventId?: string) =>
  readStream(service.url, {
    key: of.key,
    projectId: of.projectId,
    ...(lastEventId === undefined ? {} : { lastEventId }),
  });

const upsert = (service: TestService, of: TestProject, externalId: string) =>
  service.call('PUT', '/v1/participants', {
    as: of.key,
    body: { projectId: of.projectId, participant: { kind: 'individual', externalId } },
  });

async function readFeed(service: TestService, of: TestProject): Promise<unknown[]> {
  const events: unknown[] = [];
  for (let after: string | undefined; ; ) {
    const { body } = await service.call('GET', '/v1/webhook-events', {
      as: of.key,
      query: { projectId: of.projectId, limit: 500, ...(after ? { after } : {}) },
    });
    if (body.events.length === 0) return events;
    events.push(...body.events);
    after = body.next;
  }
}

/** A feed of `count` events of about `bytes` each, without the facts behind them. */
async function fillFeed(of: TestProject, database: Database, count: number, bytes: number) {
  await database.transaction(async (tx) => {
    await tx.query(
      `insert into feed_events (project_id, position, id, type, occurred_at, data)
       select $1, n, 'wev_' || lpad(n::text, 26, '0'), 'event.recorded', '2026-11-15T09:30:00Z',
         json_build_object('n', n, 'text', repeat('x', $3::int))
       from generate_series(1, $2::int) as n`,
      [of.projectId, count, bytes],
    );
    await tx.query('update project_heads set feed_position = $2 where project_id = $1', [
      of.projectId,
      count,
    ]);
  });
}

describe('a reader that comes and goes', () => {
  test('gets every event once and in order, wherever its connection breaks and however many write', async () => {
    const service = await start();
    const WRITERS = 4;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 3, maxLength: 6 }),
        fc.integer({ min: 5, max: 9 }),
        async (breaks, perWriter) => {
          const project = await service.newProject();
          const writing = Promise.all(
            Array.from({ length: WRITERS }, async (_, writer) => {
              for (let n = 0; n < perWriter; n += 1) {
                await upsert(service, project, `writer ${writer} event ${n}`);
              }
            }),
          );
          const total = WRITERS * perWriter;
          const seen: Received[] = [];
          for (const count of [...breaks, total]) {
            const reader = await follow(service, project, seen.at(-1)?.id);
            // What comes on top of it is lost with the connection, and must come again.
            const wanted = Math.min(count, total - seen.length);
            const events = await reader.has(wanted);
            seen.push(...events.slice(0, wanted));
            await reader.hangUp();
          }
          await writing;
          const feed = await readFeed(service, project);
          expect(feed).toHaveLength(total);
          expect(seen.map(({ data }) => JSON.parse(data))).toEqual(feed);
        },
      ),
      { numRuns: 4 },
    );
  });
});

describe('a reader that stops reading', () => {
  const EVENTS = 5_000;
  const PAGES = EVENTS / 100;

  /** Counts the pages that are read of the feed. */
  async function startCounting() {
    const database = await openTestDatabase();
    let pages = 0;
    const service = await start({
      database: {
        ...database,
        reads: {
          query: (text, params) => {
            if (text.includes('from feed_events')) pages += 1;
            return database.reads.query(text, params);
          },
        },
      },
    });
    return { service, database, pages: () => pages };
  }

  /** Until the service, with all the chances it needs, reads no further page. */
  async function settle(service: TestService, pages: () => number): Promise<void> {
    for (let quiet = 0, before = pages(); quiet < 100; quiet += 1) {
      await fetch(`${service.url}/readyz`);
      if (pages() !== before) quiet = 0;
      before = pages();
    }
  }

  test('costs a few pages of memory, and catches up when it reads on', async () => {
    const { service, database, pages } = await startCounting();
    const project = await service.newProject();
    await fillFeed(project, database, EVENTS, 10_000);
    const reader = await follow(service, project);
    reader.pause();
    await settle(service, pages);
    const stalled = pages();
    // The rest is in the buffers of the connection, which the operating system bounds.
    expect(stalled).toBeGreaterThan(0);
    expect(stalled).toBeLessThan(PAGES / 2);

    reader.resume();
    await reader.has(EVENTS);
    expect(reader.events.map(({ data }) => JSON.parse(data).data.n)).toEqual(
      Array.from({ length: EVENTS }, (_, n) => n + 1),
    );
    expect(pages()).toBeGreaterThanOrEqual(PAGES);
  });

  test('is cut off when its key ends, and when the service stops', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { service, database, pages } = await startCounting();
    const project = await service.newProject();
    await fillFeed(project, database, EVENTS, 10_000);
    const { body } = await service.call('POST', '/v1/api-keys', {
      as: 'operator',
      body: {
        workspaceId: project.workspaceId,
        environment: 'sandbox',
        name: 'Reader',
        permissions: ['webhooks:read'],
      },
    });
    const [first, second] = [
      await readStream(service.url, { key: body.key, projectId: project.projectId }),
      await follow(service, project),
    ];
    for (const reader of [first, second]) reader.pause();
    await settle(service, pages);
    await service.call('POST', `/v1/api-keys/${body.data.id}/revoke`, { as: 'operator' });
    vi.advanceTimersByTime(15_000);
    vi.useRealTimers();
    const openStreams = async () =>
      /^goodword_open_streams (\d+)$/m.exec(
        await (await fetch(`${service.url}/metrics`)).text(),
      )?.[1];
    await expect.poll(openStreams, { timeout: 10_000 }).toBe('1');
    services.splice(services.indexOf(service), 1);
    await service.close();
    for (const reader of [first, second]) {
      reader.resume();
      expect(await reader.ended).toBe('broken');
      expect(reader.events.length).toBeLessThan(EVENTS);
    }
  });
});

describe('places', () => {
  test('are as many as the settings say, for a Project and in all; one that is left is free', async () => {
    const service = await start({ settings: { streamsMax: 3, projectStreamsMax: 2 } });
    const [one, two] = [await service.newProject(), await service.newProject()];
    const ask = (of: TestProject) =>
      service.call('GET', '/v1/webhook-events/stream', {
        as: of.key,
        query: { projectId: of.projectId },
      });
    const first = await follow(service, one);
    await follow(service, one);
    const full = await ask(one);
    expect(full.status).toBe(503);
    expect(full.body.error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', reason: 'overloaded' });
    expect(Number(full.headers.get('retry-after'))).toBeGreaterThan(0);
    await follow(service, two);
    expect((await ask(two)).body.error.message).not.toBe(full.body.error.message);
    await first.hangUp();
    await expect.poll(async () => (await follow(service, two)).status).toBe(200);
    expect((await ask(one)).status).toBe(503);
  });

  test('are counted against the rate limit once, however much comes', async () => {
    // Two at once, and then one a second: the clock stands still.
    const service = await start({ settings: { rateLimitPerSecond: 1 } });
    const project = await service.newProject();
    const reader = await follow(service, project);
    expect(reader.headers.ratelimit).toMatch(/r=1/);
    for (const name of ['a', 'b', 'c']) {
      await service.call('PUT', '/v1/participants', {
        as: 'operator',
        body: {
          projectId: project.projectId,
          participant: { kind: 'individual', externalId: name },
        },
      });
    }
    await reader.has(3);
    expect((await upsert(service, project, 'd')).status).toBe(200);
    expect((await upsert(service, project, 'e')).status).toBe(429);
    await reader.has(4);
  });
});

test('a reader that goes away before its stream has begun takes no place', async () => {
  const database = await openTestDatabase();
  let release = () => {};
  let isHeld = false;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const service = await start({
    database: {
      ...database,
      reads: {
        query: async (text, params) => {
          if (isHeld && text.includes('from project_heads')) await held;
          return database.reads.query(text, params);
        },
      },
    },
  });
  const project = await service.newProject();
  await upsert(service, project, 'a');
  const { body } = await service.call('GET', '/v1/webhook-events', {
    as: project.key,
    query: { projectId: project.projectId },
  });
  isHeld = true;
  const search = new URLSearchParams({ projectId: project.projectId, after: body.next });
  const call = request(`${service.url}/v1/webhook-events/stream?${search}`, {
    agent: false,
    headers: { 'x-api-key': project.key },
  });
  call.on('error', () => undefined).end();
  const [{ socket }] = (await once(service.app.server, 'request')) as [IncomingMessage];
  const gone = once(socket, 'close');
  call.destroy();
  await gone;
  release();
  const lines = () => service.log.filter((line) => line.includes('/stream'));
  await expect.poll(() => lines().length).toBe(1);
  expect(JSON.parse(lines()[0] as string)).toMatchObject({ events: 0 });
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  expect(metrics).toMatch(/^goodword_open_streams 0$/m);
});

describe('the end of the service', () => {
  test('ends every stream in order', async () => {
    const service = await start();
    const project = await service.newProject();
    await upsert(service, project, 'a');
    const readers = await Promise.all([follow(service, project), follow(service, project)]);
    for (const reader of readers) await reader.has(1);
    services.splice(services.indexOf(service), 1);
    await service.close();
    for (const reader of readers) {
      expect(await reader.ended).toBe('ended');
      expect(reader.events).toHaveLength(1);
    }
  });
});

test('a database that fails breaks the stream off, frees its place and is told of', async () => {
  const database = await openTestDatabase();
  let isGone = false;
  const service = await start({
    database: {
      ...database,
      reads: {
        query: (text, params) =>
          isGone && text.includes('from feed_events')
            ? Promise.reject(new Error('gone'))
            : database.reads.query(text, params),
      },
    },
    settings: { projectStreamsMax: 1 },
  });
  const project = await service.newProject();
  await upsert(service, project, 'a');
  const reader = await follow(service, project);
  await reader.has(1);
  isGone = true;
  await upsert(service, project, 'b');
  expect(await reader.ended).toBe('broken');
  isGone = false;
  const back = await follow(service, project, reader.events[0]?.id);
  await back.has(1);
  expect(JSON.parse(back.events[0]?.data as string).data.participant.externalId).toBe('b');
  const failures = service.log
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level === 'error');
  expect(failures).toMatchObject([{ msg: 'request failed', err: { message: 'gone' } }]);
});
