import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { openTestDatabase } from '../database.ts';
import { hangUpAll, readStream } from '../event-stream.ts';
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

/** A service whose reads of a table wait from `hold` to `release`. */
async function startHolding(table: string) {
  const database = await openTestDatabase();
  let isHeld = false;
  let [begin, release] = [() => {}, () => {}];
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const service = await start({
    database: {
      ...database,
      reads: {
        query: async (text, params) => {
          if (isHeld && text.includes(`from ${table}`)) {
            begin();
            await released;
          }
          return database.reads.query(text, params);
        },
      },
    },
  });
  /** Resolves when the first of them waits. */
  const hold = () => {
    isHeld = true;
    return begun;
  };
  return { service, hold, release };
}

test('a reader that goes away before its stream has begun takes no place', async () => {
  const { service, hold, release } = await startHolding('project_heads');
  const project = await service.newProject();
  await upsert(service, project, 'a');
  const { body } = await service.call('GET', '/v1/webhook-events', {
    as: project.key,
    query: { projectId: project.projectId },
  });
  const held = hold();
  const search = new URLSearchParams({ projectId: project.projectId, after: body.next });
  const call = request(`${service.url}/v1/webhook-events/stream?${search}`, {
    agent: false,
    headers: { 'x-api-key': project.key },
  });
  call.on('error', () => undefined).end();
  const [{ socket }] = (await once(service.app.server, 'request')) as [IncomingMessage];
  await held;
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

  test('waits for no page that the database is slow to give', async () => {
    const { service, hold, release } = await startHolding('feed_events');
    const project = await service.newProject();
    const reader = await follow(service, project);
    const held = hold();
    await upsert(service, project, 'a');
    await held;
    await service.app.close();
    expect(await reader.ended).toBe('ended');
    release();
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
