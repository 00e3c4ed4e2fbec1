import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queueDeliveries } from '../../src/outbound/webhooks/queue/queue-deliveries.ts';
import { createDatabase, type Database } from '../../src/platform/db/database.ts';
import { openPostgres } from '../../src/platform/db/postgres.ts';
import { findHead, listFeedEvents } from '../../src/platform/feed/store.ts';
import { createProjectWriter } from '../../src/platform/feed/writer/writer.ts';
import { systemClock } from '../../src/platform/kit/clock.ts';
import { makeNewId } from '../../src/platform/kit/ids.ts';
import { copyPostgres } from '../database.ts';
import { childProgram } from '../process.ts';
import { newHead, noteHandler, readNotes, requestFor } from '../write-notes.ts';

const CHILD = childProgram('writer');
let copy: { url: string; drop(): Promise<void> };
let database: Database;
const children: ChildProcess[] = [];

beforeAll(async () => {
  copy = await copyPostgres();
  database = createDatabase(
    openPostgres({ connectionString: copy.url, poolSize: 4, onIdleError: () => undefined }),
  );
});
afterAll(async () => {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  await database.close();
  await copy.drop();
});

function startChild(projectId: string, name: string, mode: string): ChildProcess {
  const child = spawn(process.execPath, [CHILD, copy.url, projectId, name, mode], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

test('four processes write to one Project while a reader polls: no gap, nothing behind the cursor, each fact once', async () => {
  await newHead(database, 'prj_race');
  const count = 400;
  const names = ['a', 'b', 'c', 'd'];
  const writers = names.map((name) => startChild('prj_race', name, String(count)));
  const ends = Promise.all(writers.map((child) => once(child, 'exit')));
  let running = true;
  ends.finally(() => {
    running = false;
  });

  const seen: { position: number; text: string }[] = [];
  let pages = 0;
  const poll = async () => {
    const page = await listFeedEvents(database.reads, 'prj_race', seen.length, 50);
    if (page.length > 0) pages += 1;
    for (const row of page) seen.push({ position: row.position, text: JSON.parse(row.data).text });
    return page.length;
  };
  while (running) {
    await poll();
    await new Promise((resolve) => setImmediate(resolve));
  }
  while ((await poll()) > 0);

  expect((await ends).map(([code]) => code)).toEqual([0, 0, 0, 0]);
  expect(pages).toBeGreaterThan(3);
  // The reader goes on from the count it has: a gap, or an event that came late, would show here.
  expect(seen.map((one) => one.position)).toEqual(seen.map((_, index) => index + 1));
  const expected = names.flatMap((name) => Array.from({ length: count }, (_, n) => `${name}-${n}`));
  expect(seen.map((one) => one.text).toSorted()).toEqual(expected.toSorted());
  const head = await findHead(database.reads, 'prj_race');
  expect(head).toMatchObject({
    feedPosition: expected.length,
    numbers: { notes: expected.length },
  });
});

test('a process that stalls in the middle of a write freezes its Project for seconds, not for ever', async () => {
  await newHead(database, 'prj_stall');
  const stalled = startChild('prj_stall', 'stalled', 'stall');
  await once(stalled.stdout as NodeJS.ReadableStream, 'data');
  stalled.kill('SIGSTOP');
  const writer = createProjectWriter({
    fanOut: queueDeliveries,
    database,
    clock: systemClock,
    newId: makeNewId(systemClock.nowMs),
    queueMax: 10,
  });
  const answer = await writer.submit(noteHandler, requestFor('prj_stall'), { text: 'after' });
  expect(answer.number).toBe(1);

  // Woken up, the stalled process finds its transaction gone, and writes anew behind the others.
  stalled.kill('SIGCONT');
  stalled.stdin?.write('go on\n');
  const [code] = await once(stalled, 'exit');
  expect(code).toBe(0);
  const notes = await readNotes(database, 'prj_stall');
  expect(notes.map((note) => [note.position, note.text])).toEqual([
    [1, 'after'],
    [2, 'stalled'],
  ]);
});

test('two processes that migrate an empty database at once both succeed', async () => {
  const { migrate } = await import('../../src/platform/db/migrate.ts');
  const { default: pg } = await import('pg');
  const admin = new pg.Client({ connectionString: copy.url });
  await admin.connect();
  await admin.query('create database goodword_empty');
  const url = new URL(copy.url);
  url.pathname = '/goodword_empty';
  const open = () =>
    createDatabase(
      openPostgres({ connectionString: url.href, poolSize: 2, onIdleError: () => undefined }),
    );
  const databases = [open(), open(), open()];
  const applied = await Promise.all(databases.map((one) => migrate(one)));
  const names = applied.flat();
  expect(names.length).toBeGreaterThan(0);
  expect(new Set(names).size).toBe(names.length);
  await Promise.all(databases.map((one) => one.close()));
  await admin.query('drop database goodword_empty');
  await admin.end();
});
