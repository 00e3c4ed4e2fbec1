import { afterAll, beforeAll, expect, test } from 'vitest';
import { listByRefs } from '../../src/domain/participants/store.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import type { Driver } from '../../src/platform/db/driver.ts';
import { openPostgres } from '../../src/platform/db/postgres.ts';
import { copyPostgres, type PostgresCopy } from '../database.ts';
import { countReads, type Reading } from './count-reads.ts';
import { keepAutovacuumAway } from './crowd.ts';

const PROJECT = 'prj_01m7q0meb9akrg8pqh7fpzfgch';
/** With fewer people, all their entries are few, and the plan is made anew before they are many. */
const FIRST = 1_000;
const LAST = 40_000;
/** With a tree of two levels, a look-up reads at most a few entries. */
const READ_MAX = 5;

let copy: PostgresCopy;
let driver: Driver;

beforeAll(async () => {
  copy = await copyPostgres();
  await keepAutovacuumAway(copy.url);
  driver = openPostgres({ connectionString: copy.url, poolSize: 1, onIdleError: () => undefined });
});
afterAll(async () => {
  await driver.close();
  await copy.drop();
});

async function addPeople(first: number, last: number): Promise<void> {
  await driver.query(
    `insert into participants (project_id, id, number, kind_number, kind, external_id, is_referrer,
       is_referee, created_at, updated_at)
     select $1, 'par_01m7q0mew8' || lpad(n::text, 16, '0'), n, n, 'individual', 'customer-' || lpad(n::text, 12, '0'),
       false, true, now(), now() from generate_series($2::int, $3::int) as n`,
    [PROJECT, first, last],
  );
}

/** Entries that the look-up of somebody reads, by a plan made now. */
async function countLookUp(externalId: string): Promise<number> {
  const readings: Promise<Reading>[] = [];
  const session = countReads(driver.begin(), (reading) => readings.push(reading));
  await session.script('discard plans');
  const ref = { kind: 'individual', externalId } as const;
  await listByRefs(session as unknown as Tx, PROJECT, [ref], ['none']);
  const [reading] = await Promise.all(readings);
  await session.commit();
  return reading?.rows ?? Number.POSITIVE_INFINITY;
}

test('somebody is found by their id with few reads, however large a store that was never analysed is', async () => {
  const read: [people: number, rows: number][] = [];
  let people = 0;
  for (let size = FIRST; size <= LAST; size = Math.round(size * 1.1)) {
    await addPeople(people + 1, size);
    people = size;
    read.push([size, await countLookUp('nobody')]);
  }
  expect(read.filter(([, rows]) => rows > READ_MAX)).toEqual([]);
});
