import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Driver } from '../../src/platform/db/driver.ts';
import { Mutex } from '../../src/platform/db/embedded/mutex.ts';
import { openEmbedded } from '../../src/platform/db/embedded/open-embedded.ts';
import { makeDataFolder } from './shop.ts';

const MB = 1024 * 1024;
const FIVE_MINUTES = 5 * 60_000;
const SLOW = 120_000;
const folder = mkdtempSync(join(tmpdir(), 'goodword-maintenance-'));
makeDataFolder(folder);
const errors: Error[] = [];
let driver: Driver;
let checkpoints: number;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  checkpoints = 0;
  driver = await openEmbedded(folder, {
    onMaintenanceError: (error) => errors.push(error),
    onSync: ({ path }) => {
      if (path === 'global/pg_control') checkpoints += 1;
    },
  });
}, SLOW);
afterEach(async () => {
  await driver.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
  expect(errors).toEqual([]);
});
afterAll(() => rmSync(folder, { recursive: true }));

function walBytes(): number {
  const wal = join(folder, 'postgres', 'pg_wal');
  return readdirSync(wal)
    .map((name) => statSync(join(wal, name)))
    .filter((stats) => stats.isFile())
    .reduce((sum, stats) => sum + stats.size, 0);
}

const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 20_000 });

it(
  'keeps the WAL bounded however much is written',
  async () => {
    let most = 0;
    for (let written = 0; written < 480; written += 8) {
      await driver.query(`select pg_logical_emit_message(true, 'test', repeat('x', $1))`, [8 * MB]);
      most = Math.max(most, walBytes());
    }
    expect(most).toBeLessThan(200 * MB);
    // About one checkpoint for 64 MB: none is caused by the checkpoints themselves.
    expect(checkpoints).toBeGreaterThanOrEqual(5);
    expect(checkpoints).toBeLessThanOrEqual(9);
  },
  SLOW,
);

it(
  'vacuums changed tables, then makes a checkpoint, and rests when nothing is written',
  async () => {
    await driver.query('create table "Odd name" (n int)');
    await driver.query('insert into "Odd name" select generate_series(1, 1000)');
    await driver.query('delete from "Odd name" where n > 500');
    vi.advanceTimersByTime(FIVE_MINUTES);
    await until(() => checkpoints === 1);
    expect(
      await driver.query(
        `select c.reltuples, s.n_dead_tup, s.vacuum_count, s.analyze_count
         from pg_stat_user_tables s join pg_class c on c.oid = s.relid
         where s.relname = 'Odd name'`,
      ),
    ).toEqual([{ reltuples: 500, n_dead_tup: 0n, vacuum_count: 1n, analyze_count: 1n }]);

    const asked = vi.spyOn(Mutex.prototype, 'acquire');
    vi.advanceTimersByTime(FIVE_MINUTES);
    await driver.query('select 1');
    expect(asked).toHaveBeenCalledTimes(1);

    await driver.query('create table another (n int)');
    vi.advanceTimersByTime(FIVE_MINUTES);
    await until(() => checkpoints === 2);
  },
  SLOW,
);

it(
  'waits for the end of a transaction',
  async () => {
    await driver.query('create table waiting (n int)');
    const session = driver.begin();
    await session.query('insert into waiting select generate_series(1, 1000)');
    const asked = vi.spyOn(Mutex.prototype, 'acquire');
    vi.advanceTimersByTime(FIVE_MINUTES);
    await until(() => asked.mock.calls.length > 0);
    await session.query('insert into waiting values (0)');
    expect(checkpoints).toBe(0);
    await session.commit();
    await until(() => checkpoints === 1);
  },
  SLOW,
);
