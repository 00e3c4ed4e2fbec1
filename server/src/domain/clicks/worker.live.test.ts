import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/database.ts';
import { createDatabase, type Database } from '../../platform/db/database.ts';
import { CommitUnknownError } from '../../platform/db/driver.ts';
import { ClickCounter } from './links/click-counter.ts';
import { flushClicks, startClickWorker } from './worker.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const click = (projectId: string, sharedId: string, day = '2026-11-15') => ({
  projectId,
  sharedId,
  isLink: sharedId.startsWith('lnk'),
  programId: 'prg_1',
  day,
  clicks: 1,
});

const read = async (projectId: string) =>
  database.reads.query(
    `select shared_id as "sharedId", day::text as day, clicks::int as clicks from click_counts
     where project_id = $1 order by 1, 2`,
    [projectId],
  );

/** A database on which every transaction fails with this error. */
function failing(error: Error): Database {
  const session = {
    query: async () => [],
    script: async () => undefined,
    rollback: async () => undefined,
    commit: () => Promise.reject(error),
  };
  const refuse = () => Promise.reject(error);
  return createDatabase({ kind: 'embedded', query: refuse, begin: () => session, close: refuse });
}

test('clicks add up per Project, code or link, and day, however often they are saved', async () => {
  const counter = new ClickCounter();
  counter.add(click('prj_a', 'lnk_1'));
  counter.add(click('prj_a', 'lnk_1'));
  counter.add(click('prj_a', 'cod_1'));
  counter.add(click('prj_b', 'lnk_1'));
  await flushClicks(database, counter);
  await flushClicks(database, counter);
  counter.add(click('prj_a', 'lnk_1'));
  counter.add(click('prj_a', 'lnk_1', '2026-11-16'));
  await flushClicks(database, counter);
  expect(await read('prj_a')).toEqual([
    { sharedId: 'cod_1', day: '2026-11-15', clicks: 1 },
    { sharedId: 'lnk_1', day: '2026-11-15', clicks: 3 },
    { sharedId: 'lnk_1', day: '2026-11-16', clicks: 1 },
  ]);
  expect(await read('prj_b')).toEqual([{ sharedId: 'lnk_1', day: '2026-11-15', clicks: 1 }]);
});

test('what could not be saved is saved later; what may have been saved is not saved twice', async () => {
  const counter = new ClickCounter();
  counter.add(click('prj_c', 'lnk_1'));
  await expect(flushClicks(failing(new Error('no disk')), counter)).rejects.toThrow('no disk');
  counter.add(click('prj_c', 'lnk_1'));
  await flushClicks(database, counter);
  expect(await read('prj_c')).toEqual([{ sharedId: 'lnk_1', day: '2026-11-15', clicks: 2 }]);

  counter.add(click('prj_c', 'lnk_1'));
  const unknown = failing(new CommitUnknownError('gone'));
  await expect(flushClicks(unknown, counter)).rejects.toThrow('gone');
  await flushClicks(database, counter);
  expect(await read('prj_c')).toEqual([{ sharedId: 'lnk_1', day: '2026-11-15', clicks: 2 }]);
});

test('what was counted before the end is saved at the end', async () => {
  const counter = new ClickCounter();
  const failures: unknown[] = [];
  const worker = startClickWorker({
    database,
    counter,
    onFailure: (error) => failures.push(error),
  });
  counter.add(click('prj_d', 'lnk_1'));
  await worker.stop();
  expect(failures).toEqual([]);
  expect(await read('prj_d')).toEqual([{ sharedId: 'lnk_1', day: '2026-11-15', clicks: 1 }]);
});
