import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { encodeCursor } from '../../src/platform/feed/cursor.ts';
import { createProjectWriter } from '../../src/platform/feed/writer/writer.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { hangUpAll, readStream, type StreamReader } from '../event-stream.ts';
import { openService, ROOT_KEY, type TestProject, type TestService } from '../harness.ts';
import { requestFor } from '../write-notes.ts';

const HEARTBEAT_MS = 15_000;
const POLL_MS = 3_000;
let service: TestService;
let project: TestProject;
let timersAtRest: number;
beforeAll(async () => {
  // Heartbeats and polls come when a test says so, and never else.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  service = await openService();
  timersAtRest = vi.getTimerCount();
  project = await service.newProject();
  for (const name of ['a', 'b', 'c', 'd', 'e']) await upsert(name);
});
afterEach(hangUpAll);
afterAll(async () => {
  await service.close();
  vi.useRealTimers();
});

const upsert = (externalId: string, of = project) =>
  service.call('PUT', '/v1/participants', {
    as: of.key,
    body: { projectId: of.projectId, participant: { kind: 'individual', externalId } },
  });

const readFeed = async (query: Record<string, string> = {}, of = project) => {
  const search = new URLSearchParams({ projectId: of.projectId, limit: '500', ...query });
  const answer = await fetch(`${service.url}/v1/webhook-events?${search}`, {
    headers: { 'x-api-key': of.key },
  });
  return answer.text();
};

const listFeed = async (query: Record<string, string> = {}, of = project) =>
  JSON.parse(await readFeed(query, of)) as { events: unknown[]; next: string };

const follow = (call: { after?: string; lastEventId?: string } = {}, of = project) =>
  readStream(service.url, { key: of.key, projectId: of.projectId, ...call });

const refuse = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  service.call('GET', '/v1/webhook-events/stream', {
    as: project.key,
    query: { projectId: project.projectId, ...query },
    headers,
  });

const names = (reader: StreamReader) =>
  reader.events.map(({ data }) => JSON.parse(data).data.participant.externalId);

const newKey = async (of: TestProject, input: object = {}) => {
  const { body } = await service.call('POST', '/v1/api-keys', {
    as: 'operator',
    body: {
      workspaceId: of.workspaceId,
      environment: 'sandbox',
      name: 'Reader',
      permissions: ['webhooks:read'],
      ...input,
    },
  });
  return body as { key: string; data: { id: string } };
};

const openStreams = async () => {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(/^goodword_open_streams (\d+)$/m.exec(text)?.[1]);
};

describe('what a stream tells', () => {
  test('is what the feed tells: the same events in the same order, to the byte', async () => {
    const reader = await follow();
    await reader.has(5);
    const feed = await readFeed();
    const bytes = reader.events.map(({ data }) => data).join(',');
    expect(feed).toContain(`"events":[${bytes}]`);
    for (const { type, data } of reader.events) expect(type).toBe(JSON.parse(data).type);
  });

  test('comes with the headers of a stream, and how long to wait before connecting again', async () => {
    const reader = await follow();
    expect(reader.status).toBe(200);
    expect(reader.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': expect.stringMatching(/^req_/),
    });
    await reader.has(1);
    expect(reader.retryMs()).toBeGreaterThan(0);
  });

  test('goes on behind a cursor of the feed, and the feed behind an id of the stream', async () => {
    const all = await listFeed();
    const reader = await follow();
    await reader.has(5);
    const third = reader.events[2]?.id as string;
    expect((await listFeed({ after: third })).events).toEqual(all.events.slice(3));
    const { next } = await listFeed({ limit: '2' });
    const further = await follow({ after: next });
    await further.has(3);
    expect(names(further)).toEqual(['c', 'd', 'e']);
  });

  test('goes on behind Last-Event-ID, whatever `after` says; an empty one counts for nothing', async () => {
    const reader = await follow();
    await reader.has(5);
    const [first, , third] = reader.events;
    const back = await follow({
      after: first?.id as string,
      lastEventId: third?.id as string,
    });
    await back.has(2);
    expect(names(back)).toEqual(['d', 'e']);
    const again = await follow({ after: first?.id as string, lastEventId: '' });
    await again.has(4);
    expect(names(again)).toEqual(['b', 'c', 'd', 'e']);
  });
});

describe('new events', () => {
  test('arrive by their hints, without a poll', async () => {
    const mine = await service.newProject();
    const reader = await follow({}, mine);
    for (const name of ['x', 'y', 'z']) {
      await upsert(name, mine);
      await reader.has(reader.events.length + 1);
    }
    expect(names(reader)).toEqual(['x', 'y', 'z']);
  });

  test('arrive by the poll if no hint told of them', async () => {
    const mine = await service.newProject();
    await upsert('told', mine);
    const reader = await follow({}, mine);
    await reader.has(1);
    const silent = createProjectWriter({
      database: service.database,
      clock: service.clock,
      newId: (prefix) => `${prefix}_${'0'.repeat(25)}${silently}`,
      queueMax: 10,
      fanOut: async () => 0,
    });
    let silently = 0;
    const appendSilently = () =>
      silent.run(requestFor(mine.projectId), async (write) => {
        silently += 1;
        write.append('participant.created', { number: silently });
        return { answer: null };
      });
    // The first poll of a feed cannot know whether it moved, the second does.
    for (const count of [2, 3]) {
      await appendSilently();
      expect(reader.events).toHaveLength(count - 1);
      vi.advanceTimersByTime(POLL_MS);
      await reader.has(count);
    }
  });

  test('of another Project are not heard of', async () => {
    const [mine, other] = [await service.newProject(), await service.newProject()];
    const reader = await follow({}, mine);
    await upsert('theirs', other);
    await upsert('mine', mine);
    await reader.has(1);
    expect(names(reader)).toEqual(['mine']);
  });
});

describe('before it begins, a stream is refused like any other call', () => {
  test.each(['after', 'Last-Event-ID'])('for a bad cursor in %s', async (path) => {
    const other = await service.newProject();
    await upsert('x', other);
    const { next: foreign } = await listFeed({}, other);
    const ahead = encodeCursor(createKeyring(ROOT_KEY), project.projectId, 1_000_000);
    for (const [cursor, reason] of [
      [foreign, 'cursor_invalid'],
      ['rubbish', 'cursor_invalid'],
      [ahead, 'cursor_ahead'],
    ] as const) {
      const { status, body } = await (path === 'after'
        ? refuse({ after: cursor })
        : refuse({}, { 'last-event-id': cursor }));
      expect([status, body.error.reason]).toEqual([400, reason]);
      expect(body.error.details[0].path).toBe(path);
    }
  });

  test('for a version that nobody knows', async () => {
    const { status, body } = await refuse({ apiVersion: '2020-01-01' });
    expect([status, body.error.details[0].path]).toEqual([400, 'apiVersion']);
  });

  test('for a Project of somebody else, and without one', async () => {
    const other = await service.newProject();
    expect((await refuse({ projectId: other.projectId })).status).toBe(404);
    expect((await refuse({ projectId: '' })).status).toBe(400);
  });

  test('with another method, while HEAD gets the headers and takes no place', async () => {
    const before = await openStreams();
    const path = `${service.url}/v1/webhook-events/stream?projectId=${project.projectId}`;
    const head = await fetch(path, { method: 'HEAD', headers: { 'x-api-key': project.key } });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await head.text()).toBe('');
    expect(await openStreams()).toBe(before);
    const post = await service.call('POST', '/v1/webhook-events/stream', { as: project.key });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('while nothing happens', () => {
  test('a comment comes at every heartbeat', async () => {
    const reader = await follow({}, await service.newProject());
    for (const count of [1, 2, 3]) {
      vi.advanceTimersByTime(HEARTBEAT_MS);
      await reader.hasComments(count);
    }
    expect(reader.comments()).toBe(3);
    expect(reader.events).toEqual([]);
  });

  test('a revoked key ends the stream in order by the next heartbeat, and no other stream', async () => {
    const { key, data } = await newKey(project);
    const reader = await readStream(service.url, { key, projectId: project.projectId });
    const other = await follow();
    await reader.has(5);
    await service.call('POST', `/v1/api-keys/${data.id}/revoke`, { as: 'operator' });
    vi.advanceTimersByTime(HEARTBEAT_MS);
    expect(await reader.ended).toBe('ended');
    await other.hasComments(1);
  });

  test('an expired key ends the stream likewise', async () => {
    const expiresAt = new Date(service.clock.nowMs() + 60_000).toISOString();
    const { key } = await newKey(project, { expiresAt });
    const reader = await readStream(service.url, { key, projectId: project.projectId });
    vi.advanceTimersByTime(HEARTBEAT_MS);
    await reader.hasComments(1);
    service.clock.advance(60_000);
    vi.advanceTimersByTime(HEARTBEAT_MS);
    expect(await reader.ended).toBe('ended');
  });
});

test('a client that goes away frees its place, and its timers end with the last one', async () => {
  await hangUpAll();
  await expect.poll(openStreams).toBe(0);
  const readers = await Promise.all([follow(), follow(), follow()]);
  expect(await openStreams()).toBe(3);
  await readers[0]?.hangUp();
  await expect.poll(openStreams).toBe(2);
  await hangUpAll();
  await expect.poll(openStreams).toBe(0);
  // The look at the feed that was under way comes to its end first.
  await expect.poll(() => vi.getTimerCount()).toBe(timersAtRest);
});

test('a stream is told of in one log line, at its end, with how many events it had', async () => {
  const from = service.log.length;
  const lines = () =>
    service.log
      .slice(from)
      .map((line) => JSON.parse(line))
      .filter(({ route }) => route === '/v1/webhook-events/stream');
  const [gone, ended] = [await follow(), await newKey(project)];
  await gone.has(5);
  const reader = await readStream(service.url, {
    key: ended.key,
    projectId: project.projectId,
  });
  await reader.has(5);
  expect(lines()).toEqual([]);
  await gone.hangUp();
  await expect.poll(() => lines().length).toBe(1);
  await service.call('POST', `/v1/api-keys/${ended.data.id}/revoke`, { as: 'operator' });
  vi.advanceTimersByTime(HEARTBEAT_MS);
  await reader.ended;
  await expect.poll(() => lines().length).toBe(2);
  await refuse({ after: 'rubbish' });
  await expect.poll(() => lines().length).toBe(3);
  expect(lines()).toMatchObject([
    { msg: 'request', method: 'GET', status: 200, events: 5 },
    { msg: 'request', method: 'GET', status: 200, events: 5 },
    { msg: 'request', method: 'GET', status: 400 },
  ]);
});
