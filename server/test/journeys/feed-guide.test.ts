import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openService, type TestProject, type TestService } from '../harness.ts';

const GUIDE = new URL('../../../docs/feed.md', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'goodword-guide-'));
let service: TestService;
let project: TestProject;
let consumer: ChildProcess | undefined;
const printed: string[] = [];

beforeAll(async () => {
  const program = /```js\n(.*?)```/s.exec(readFileSync(GUIDE, 'utf8'))?.[1] as string;
  // The wait is for services that are away; here it would only be waited for.
  writeFileSync(join(folder, 'follow.mjs'), program.replace('delay(2_000)', 'delay(1)'));
  service = await openService();
  project = await service.newProject();
});
afterAll(async () => {
  consumer?.kill('SIGKILL');
  await service.close();
  rmSync(folder, { recursive: true });
});

function startConsumer(): ChildProcess {
  const child = spawn(process.execPath, ['follow.mjs'], {
    cwd: folder,
    env: { GOODWORD_URL: service.url, GOODWORD_KEY: project.key, PROJECT: project.projectId },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed.push(...text.split('\n').filter((line) => line !== ''));
  });
  return child;
}

async function upsert(externalId: string): Promise<void> {
  await service.call('PUT', '/v1/participants', {
    as: project.key,
    body: {
      projectId: project.projectId,
      participant: { kind: 'individual', externalId },
    },
  });
}

async function readFeed() {
  const { body } = await service.call('GET', '/v1/webhook-events', {
    as: project.key,
    query: { projectId: project.projectId },
  });
  return body;
}

test('the program of the guide misses nothing, through a broken connection and its own restart', async () => {
  const hasPrinted = (count: number) =>
    expect.poll(() => printed.length, { timeout: 20_000 }).toBe(count);
  const streams: Socket[] = [];
  service.app.server.on('request', ({ url, socket }) => {
    if (url?.includes('/stream')) streams.push(socket);
  });
  await upsert('a');
  consumer = startConsumer();
  await hasPrinted(1);
  streams[0]?.destroy();
  await upsert('b');
  await upsert('c');
  // It keeps its place after it has acted: killed in between, it would act on an event again.
  const { next } = await readFeed();
  const kept = () => readFileSync(join(folder, 'last-event-id'), 'utf8');
  await expect.poll(kept, { timeout: 20_000 }).toBe(next);
  expect(streams.length).toBeGreaterThan(1);
  consumer.kill('SIGKILL');
  await upsert('d');
  consumer = startConsumer();
  await hasPrinted(4);
  const { events } = await readFeed();
  expect(printed).toEqual(
    events.map(({ type, id }: { type: string; id: string }) => `${type} ${id}`),
  );
});
