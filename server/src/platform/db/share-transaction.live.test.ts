import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/database.ts';
import { combineReads } from './combine-reads.ts';
import type { Database, Tx } from './database.ts';
import { shareTransaction } from './share-transaction.ts';
import { insertRows, integer, json, text, updateRows } from './write-rows.ts';

interface Item {
  readonly id: string;
  readonly size: number;
  readonly data: unknown;
}

const AT = '2026-11-15T02:39:25.120Z';
const insertItems = insertRows<Item>(
  'shared_items',
  {
    id: text((item) => item.id),
    size: integer((item) => item.size),
    data: json((item) => item.data),
  },
  'on conflict (project_id, id) do update set size = shared_items.size + excluded.size',
);
const updateItems = updateRows<Item>(
  'shared_items',
  { id: text((item) => item.id) },
  { size: integer((item) => item.size) },
);
const listItems = (tx: Tx, projectId: string, ids: readonly string[]) =>
  tx.query<{ id: string; size: number }>(
    `select c.id, c.size from unnest($2::text[]) as asked (asked_id)
     cross join lateral (select * from shared_items c where c.project_id = $1 and c.id = asked_id offset 0) as c
     order by c.id desc`,
    [projectId, ids],
  );

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
  await database.transaction((tx) =>
    tx.script(
      `create table shared_items (project_id text, made_at timestamptz(3), moved_at timestamptz(3),
         id text, size integer, data json, primary key (project_id, id))`,
    ),
  );
});
afterAll(() => database.close());

/** What one Project does: reads follow writes, and how many there are depends on what was read. */
async function work(tx: Tx, projectId: string, count: number) {
  const items = Array.from({ length: count }, (_, n) => ({
    id: `it"em, {${n}}`,
    size: n,
    data: n % 2 === 0 ? { n, "it's": '\\"' } : null,
  }));
  const ids = items.map(({ id }) => id);
  const before = await listItems(tx, projectId, ids);
  insertItems(tx, projectId, items, { made_at: AT });
  const [found, counted] = await Promise.all([
    listItems(tx, projectId, ids),
    tx.query<{ count: number }>(
      'select count(*)::integer as count from shared_items where project_id = $1 and size >= $2',
      [projectId, 1],
    ),
  ]);
  if (found.length > 2) {
    updateItems(
      tx,
      projectId,
      found.map(({ id, size }) => ({ id, size: size * 10, data: null })),
      { moved_at: AT },
    );
  }
  tx.send('update shared_items set size = size + 1 where project_id = $1 and size > 20', [
    projectId,
  ]);
  return { before, found, counted, after: await listItems(tx, projectId, ids) };
}

const stored = (prefix: string) =>
  database.reads.query(
    `select substr(project_id, 2) as project, made_at, moved_at, id, size, data from shared_items
     where project_id like $1 order by 1, id`,
    [`${prefix}%`],
  );

test('parts of one transaction leave and get what each would in its own', async () => {
  const counts = [0, 1, 2, 3, 4, 4];
  const alone = [];
  for (const [n, count] of counts.entries()) {
    alone.push(await database.transaction((tx) => work(tx, `a${n}`, count)));
  }
  const together = await database.transaction((tx) =>
    shareTransaction(
      tx,
      counts.map((count, n) => (part: Tx) => work(part, `b${n}`, count)),
    ),
  );
  expect(together).toEqual(alone);
  expect(await stored('b')).toEqual(await stored('a'));
});

test('if one fails, all are undone, after all have ended', async () => {
  const before = await stored('b');
  let ended = 0;
  const failing = database.transaction((tx) =>
    shareTransaction(tx, [
      async () => {
        throw new Error('this one');
      },
      async (part: Tx) => {
        await work(part, 'b1', 3);
        ended += 1;
      },
    ]),
  );
  await expect(failing).rejects.toThrow('this one');
  expect(ended).toBe(1);
  expect(await stored('b')).toEqual(before);
});

test.each([
  'select * from shared_items where project_id = $1 for no key update',
  'update shared_items set size = 1 where project_id = $1 returning id',
  'with a as (delete from shared_items where project_id = $1 returning id) select * from a',
  'select * from shared_items where project_id = $1 and id = $2',
])('not combined: %s', (sql) => {
  expect(combineReads(sql, [['p', 'x']])).toBeNull();
});
