import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
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
       select h.project_id, n, 'wev_' || lpad(n::text, 26, '0'), 'event.recorded', '2026-11-15T09:30:00Z',
         json_build_object('n', n, 'text', repeat('x', $3::int))
       from project_heads h cross join generate_series(1, $2::int) as n where h.project_id = $1`,
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
  const EVENTS = 3_000;
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
    await expect.poll(openStreams).toBe('1');
    services.splice(services.indexOf(service), 1);
    await service.close();
    for (const reader of [first, second]) {
      reader.resume();
      expect(await reader.ended).toBe('broken');
      expect(reader.events.length).toBeLessThan(EVENTS);
    }
  });
});
