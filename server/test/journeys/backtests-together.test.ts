import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBacktestWorker } from '../../src/domain/backtests/worker.ts';
import { listAccounts } from '../../src/outbound/payouts/details/account-queries.ts';
import type { Database } from '../../src/platform/db/database.ts';
import type { Queryable } from '../../src/platform/db/driver.ts';
import { createKeyring } from '../../src/platform/kit/keyring.ts';
import { openService, ROOT_KEY, type TestService } from '../harness.ts';
import { runBacktest } from '../run-backtest.ts';
import { openShop, type Shop } from '../shop.ts';

let service: TestService;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

const ALWAYS = { from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };

async function start({ post, programId }: Shop): Promise<string> {
  const { body } = await post('/v1/backtests', { programId, ...ALWAYS });
  expect(body).toMatchObject({ success: true });
  return body.data.id;
}

const statusOf = async (shop: Shop, id: string): Promise<string> =>
  (await shop.read(`/v1/backtests/${id}`)).body.data.status;

/** The database for back-tests, of which one Project's do not go on after their first page until they are released. */
function holdBacktest(database: Database, projectId: string) {
  let release = () => {};
  let reach = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isReached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const reads: Queryable = {
    async query(text, params) {
      if (text.includes('set events_done') && params?.[0] === projectId) {
        reach();
        await isReleased;
      }
      return database.reads.query(text, params);
    },
  };
  return { database: { ...database, reads }, isReached, release };
}

test('a back-test does not wait for the end of a long one of another Project', async () => {
  const [long, short] = [await openShop(service), await openShop(service)];
  await long.order('1');
  const held = holdBacktest(service.database, long.project.projectId);
  const ids = { long: await start(long), short: '' };
  const failures: unknown[] = [];
  const worker = startBacktestWorker({
    database: held.database,
    clock: service.clock,
    newId: service.built.newId,
    keyring: createKeyring(ROOT_KEY),
    listAccounts,
    onFailure: (error) => failures.push(error),
  });
  try {
    await held.isReached;
    ids.short = await start(short);
    worker.poke();
    await expect.poll(() => statusOf(short, ids.short)).toBe('done');
    expect(await statusOf(long, ids.long)).toBe('running');
  } finally {
    held.release();
    await worker.stop();
  }
  expect(await statusOf(long, ids.long)).toBe('done');
  expect(failures).toEqual([]);
});

test('a Project whose back-tests wait longest is next, although another one queued more before', async () => {
  const [many, one] = [await openShop(service), await openShop(service)];
  const queued = [await start(many), await start(many)];
  service.clock.advance(1);
  const other = await start(one);
  await runBacktest(service);
  service.clock.advance(1);
  await runBacktest(service);
  const statuses = [
    ...(await Promise.all(queued.map((id) => statusOf(many, id)))),
    await statusOf(one, other),
  ];
  expect(statuses).toEqual(['done', 'queued', 'done']);
});
