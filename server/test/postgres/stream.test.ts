import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPostgres } from '../database.ts';
import { hangUpAll, type Received, readStream } from '../event-stream.ts';
import { killAll, type Program, startProgram } from '../process.ts';

const ADMIN_TOKEN = 'a'.repeat(40);
let copy: { url: string; drop(): Promise<void> };
let programs: [Program, Program];
let projectId: string;
let key: string;

beforeAll(async () => {
  copy = await copyPostgres();
  const env = {
    ADMIN_TOKEN,
    ROOT_KEY: Buffer.alloc(32, 3).toString('base64'),
    LOG_LEVEL: 'info',
    DATABASE_URL: copy.url,
  };
  programs = await Promise.all([startProgram(env), startProgram(env)]);
  const workspaceId = (await operate('/v1/workspaces', { name: 'Acme' })).data.id;
  const place = { workspaceId, environment: 'live', name: 'Shop' };
  projectId = (await operate('/v1/projects', place)).data.id;
  key = (await operate('/v1/api-keys', { ...place, permissions: 'full' })).key;
});
afterAll(async () => {
  await hangUpAll();
  await killAll();
  await copy.drop();
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
async function operate(path: string, body: object): Promise<any> {
  const response = await fetch(`${programs[0].url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${ADMIN_TOKEN}` },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return response.json();
}

async function upsert(program: Program, externalId: string): Promise<void> {
  const { status } = await fetch(`${program.url}/v1/participants`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ projectId, participant: { kind: 'individual', externalId } }),
  });
  expect(status).toBe(200);
}

test('a reader that changes between two processes, while both write, sees the feed event by event', async () => {
  const PER_WRITER = 60;
  const writing = Promise.all(
    [0, 1, 2, 3].map(async (writer) => {
      for (let n = 0; n < PER_WRITER; n += 1) {
        await upsert(programs[writer % 2] as Program, `writer ${writer} event ${n}`);
      }
    }),
  );
  const total = 4 * PER_WRITER;
  const seen: Received[] = [];
  for (let turn = 0; seen.length < total; turn += 1) {
    const last = seen.at(-1)?.id;
    const reader = await readStream((programs[turn % 2] as Program).url, {
      key,
      projectId,
      ...(last === undefined ? {} : { lastEventId: last }),
    });
    const wanted = Math.min(17, total - seen.length);
    seen.push(...(await reader.has(wanted)).slice(0, wanted));
    await reader.hangUp();
  }
  await writing;
  const feed = await fetch(
    `${programs[0].url}/v1/webhook-events?limit=500&projectId=${projectId}`,
    {
      headers: { 'x-api-key': key },
    },
  );
  const { events } = (await feed.json()) as { events: unknown[] };
  expect(events).toHaveLength(total);
  expect(seen.map(({ data }) => JSON.parse(data))).toEqual(events);
});

test('a process that is told to stop ends its streams in order; the reader goes on at the other', async () => {
  const [staying, leaving] = programs;
  const reader = await readStream(leaving.url, { key, projectId });
  await reader.has(1);
  const { code, stdout, stderr } = await leaving.kill('SIGTERM');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(await reader.ended).toBe('ended');
  expect(stdout).toMatch(/"route":"\/v1\/webhook-events\/stream".*"events":\d+/);
  const back = await readStream(staying.url, {
    key,
    projectId,
    lastEventId: reader.events.at(-1)?.id as string,
  });
  await upsert(staying, 'afterwards');
  const total = 241;
  await back.has(total - reader.events.length);
  expect(back.events.at(-1)?.data).toContain('afterwards');
});
