import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDatabase, type Database } from '../../src/platform/db/database.ts';
import { openPostgres } from '../../src/platform/db/postgres.ts';
import { createFeedHints, type FeedHints } from '../../src/platform/feed/hints.ts';
import { copyPostgres } from '../database.ts';
import { childProgram } from '../process.ts';
import { newHead } from '../write-notes.ts';

const CHILD = childProgram('writer');

/** What stands for a process: its own connections, and what it has heard. */
interface Peer {
  readonly database: Database;
  readonly hints: FeedHints;
  readonly heard: (string | null)[];
  /** Resolves when something was heard for so many times in all. */
  hasHeard(projectId: string | null, times?: number): Promise<void>;
  close(): Promise<void>;
}

let copy: { url: string; drop(): Promise<void> };
let admin: pg.Client;
const peers: Peer[] = [];
const children: ChildProcess[] = [];
/** What is said on the channel, as PostgreSQL hands it out. */
let payloads: string[];

beforeAll(async () => {
  copy = await copyPostgres();
  admin = new pg.Client({ connectionString: copy.url });
  await admin.connect();
  await admin.query('listen goodword_feed');
  admin.on('notification', ({ payload = '' }) => payloads.push(payload));
});
beforeEach(() => {
  payloads = [];
});
afterEach(async () => {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  await Promise.all(peers.splice(0).map((peer) => peer.close()));
});
afterAll(async () => {
  await admin.end();
  await copy.drop();
});

const about = (projectId: string) => ({ projectId, hasDeliveries: false });

/** Begins to listen before it resolves. */
async function startPeer(): Promise<Peer> {
  const database = createDatabase(
    openPostgres({ connectionString: copy.url, poolSize: 2, onIdleError: () => undefined }),
  );
  const hints = createFeedHints(database);
  const heard: (string | null)[] = [];
  const waiting = new Set<() => void>();
  hints.subscribe((hint) => {
    heard.push(hint?.projectId ?? null);
    for (const look of waiting) look();
  });
  const peer: Peer = {
    database,
    hints,
    heard,
    hasHeard: (projectId, times = 1) =>
      new Promise((resolve) => {
        const look = () => {
          if (heard.filter((one) => one === projectId).length < times) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    async close() {
      await hints.close();
      await database.close();
    },
  };
  peers.push(peer);
  await peer.hasHeard(null);
  return peer;
}

const countListeners = async () => {
  const { rows } = await admin.query(
    `select count(*)::int as count from pg_stat_activity
     where application_name = 'goodword-listen' and datname = current_database()`,
  );
  return rows[0].count as number;
};

test('a commit of another process is heard, though that process knows nothing of this one', async () => {
  const peer = await startPeer();
  await newHead(peer.database, 'prj_far');
  const child = spawn(process.execPath, [CHILD, copy.url, 'prj_far', 'far', '3'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const ended = once(child, 'exit');
  await peer.hasHeard('prj_far');
  expect((await ended)[0]).toBe(0);
});

test('a process hears itself at once and only once, and others once for many commits', async () => {
  const [here, there] = [await startPeer(), await startPeer()];
  for (let n = 0; n < 50; n += 1) {
    here.hints.notify(about('prj_a'));
    here.hints.notify(about('prj_b'));
  }
  expect(here.heard.filter((one) => one !== null)).toHaveLength(100);
  await Promise.all([there.hasHeard('prj_a'), there.hasHeard('prj_b')]);
  // What is said later is heard later: by now its own NOTIFY has come back to it as well.
  there.hints.notify(about('prj_end'));
  await here.hasHeard('prj_end');
  expect(here.heard.filter((one) => one !== null && one !== 'prj_end')).toHaveLength(100);
  expect(there.heard).toEqual([null, 'prj_a', 'prj_b', 'prj_end']);
  await expect.poll(() => payloads.join()).toContain('prj_end');
  expect(payloads.filter((payload) => payload.includes('prj_a'))).toHaveLength(1);
});

test('more Projects than one NOTIFY can name are told in several', async () => {
  const [here, there] = [await startPeer(), await startPeer()];
  const ids = Array.from({ length: 1_000 }, (_, n) => `prj_${String(n).padStart(26, '0')}`);
  for (const id of ids) here.hints.notify(about(id));
  await there.hasHeard(ids.at(-1) as string);
  expect(there.heard.slice(1)).toEqual(ids);
  await expect.poll(() => payloads.length).toBeGreaterThan(3);
});

test('a listener whose connection is cut listens again and says that it may have missed something', async () => {
  const [here, there] = [await startPeer(), await startPeer()];
  const { rowCount } = await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'goodword-listen' and datname = current_database()`,
  );
  expect(rowCount).toBe(2);
  await Promise.all([here.hasHeard(null, 2), there.hasHeard(null, 2)]);
  here.hints.notify(about('prj_after'));
  await there.hasHeard('prj_after');
});

test('a NOTIFY that fails is nobody’s error, and the next one is sent', async () => {
  const there = await startPeer();
  let failures = 0;
  const database: Database = {
    ...there.database,
    listen: () => ({ close: async () => undefined }),
    reads: {
      query: async (text, params) => {
        if (failures > 0) return there.database.reads.query(text, params);
        failures += 1;
        throw new Error('gone');
      },
    },
  };
  const hints = createFeedHints(database);
  hints.notify(about('prj_lost'));
  await expect.poll(() => failures).toBe(1);
  hints.notify(about('prj_next'));
  await there.hasHeard('prj_next');
  expect(there.heard).not.toContain('prj_lost');
  await hints.close();
});

test('what was told just before the end is still sent, and no connection stays', async () => {
  const [here, there] = [await startPeer(), await startPeer()];
  expect(await countListeners()).toBe(2);
  here.hints.notify(about('prj_last'));
  peers.splice(peers.indexOf(here), 1);
  await here.close();
  await there.hasHeard('prj_last');
  await there.hints.close();
  await expect.poll(countListeners).toBe(0);
});
