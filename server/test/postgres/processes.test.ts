import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyPostgres } from '../database.ts';
import { killAll, launch, type Program, startProgram } from '../process.ts';

const ADMIN_TOKEN = 'a'.repeat(40);
const env = {
  ADMIN_TOKEN,
  ROOT_KEY: Buffer.alloc(32, 3).toString('base64'),
  LOG_LEVEL: 'error',
};
let copy: { url: string; drop(): Promise<void> };
let programs: Program[];
let projectId: string;
let key: { key: string; data: { id: string } };

beforeAll(async () => {
  copy = await copyPostgres();
  programs = await Promise.all(
    Array.from({ length: 3 }, () => startProgram({ ...env, DATABASE_URL: copy.url })),
  );
  const workspace = await operate('/v1/workspaces', { name: 'Acme' });
  const workspaceId = workspace.data.id;
  const environment = 'live';
  projectId = (await operate('/v1/projects', { workspaceId, name: 'Shop', environment })).data.id;
  key = await operate('/v1/api-keys', {
    workspaceId,
    environment,
    name: 'Races',
    permissions: 'full',
  });
});
afterAll(async () => {
  await killAll();
  await copy.drop();
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
async function operate(path: string, body: object): Promise<any> {
  const response = await fetch(`${programs[0]?.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${ADMIN_TOKEN}` },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return response.json();
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
const read = (answer: Response): Promise<any> => answer.json() as Promise<any>;

const call = (program: Program, method: string, path: string, body?: object) =>
  fetch(`${program.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-api-key': key.key },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });

const upsert = (program: Program, externalId: string) =>
  call(program, 'PUT', '/v1/participants', {
    projectId,
    participant: { kind: 'individual', externalId },
  });

test('a process with another root key does not start, unless nothing is kept yet', async () => {
  const ROOT_KEY = Buffer.alloc(32, 4).toString('base64');
  const other = { ...env, ROOT_KEY, DATABASE_URL: copy.url };
  expect(await launch(other).ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('This is not the root key of this store.'),
  });
  const empty = await copyPostgres();
  for (const settings of [other, env]) {
    const program = await startProgram({ ...settings, DATABASE_URL: empty.url });
    await program.kill('SIGTERM');
  }
  await empty.drop();
});

test('three processes name the same people at once: each exists once, with one event, in a gapless list', async () => {
  const names = Array.from({ length: 120 }, (_, n) => `person-${n}`);
  const answers = await Promise.all(
    programs.flatMap((program) => names.map((name) => upsert(program, name))),
  );
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  const bodies = await Promise.all(answers.map(read));
  expect(new Set(bodies.map((body) => body.data.id)).size).toBe(names.length);

  const [, reader] = programs as [Program, Program];
  const feed = await read(
    await call(reader, 'GET', `/v1/webhook-events?limit=500&projectId=${projectId}`),
  );
  const announced = feed.events.map(
    (event: { data: { participant: { externalId: string } } }) => event.data.participant.externalId,
  );
  expect(announced.toSorted()).toEqual(names.toSorted());

  const listed: string[] = [];
  for (let offset: string | null = '0'; offset !== null; ) {
    const path: string = `/v1/participants?projectId=${projectId}&offset=${offset}`;
    const page: { data: { externalId: string }[]; nextOffset: string | null } = await read(
      await call(reader, 'GET', path),
    );
    listed.push(...page.data.map((one) => one.externalId));
    offset = page.nextOffset;
  }
  expect(listed).toEqual(announced.toReversed());
});

test('a key revoked by one process stops in the others once they ask again, after a second', async () => {
  const [first, second] = programs as [Program, Program];
  expect((await upsert(second, 'before')).status).toBe(200);
  await operate(`/v1/api-keys/${key.data.id}/revoke`, {});
  expect((await upsert(first, 'after')).status).toBe(401);
  await expect
    .poll(async () => (await upsert(second, 'after')).status, { timeout: 2_000 })
    .toBe(401);
});
