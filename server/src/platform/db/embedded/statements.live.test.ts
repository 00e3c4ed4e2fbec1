import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEngine } from '../../../../test/database.ts';
import { Statements } from './statements.ts';

let pg: PGlite;
beforeAll(async () => {
  ({ pg } = await createEngine());
  await pg.exec('create table notes (id int primary key, body text)');
});
afterAll(() => pg.close());
beforeEach(() => pg.exec('deallocate all; truncate notes'));

const listPrepared = async () =>
  (await pg.query<{ statement: string }>('select statement from pg_prepared_statements')).rows
    .map(({ statement }) => statement)
    .toSorted();
const INSERT = 'insert into notes values ($1, $2)';
const SELECT = 'select id, body from notes order by id';

test('a statement is prepared once, and gives its rows each time', async () => {
  const statements = new Statements(pg);
  expect(await statements.run(INSERT, [1, 'one'])).toEqual([]);
  expect(await statements.run(INSERT, [2, null])).toEqual([]);
  const both = [
    { id: 1, body: 'one' },
    { id: 2, body: null },
  ];
  expect(await statements.run(SELECT, [])).toEqual(both);
  expect(await statements.run(SELECT, [])).toEqual(both);
  expect(await listPrepared()).toEqual([INSERT, SELECT].toSorted());
});

test('one that fails at first leaves nothing behind, and can be run again', async () => {
  const statements = new Statements(pg);
  await pg.exec(`insert into notes values (1, 'one')`);
  await expect(statements.run(INSERT, [1, 'again'])).rejects.toMatchObject({ code: '23505' });
  await expect(statements.run('select from nowhere', [])).rejects.toMatchObject({ code: '42P01' });
  expect(await listPrepared()).toEqual([]);
  expect(await statements.run(INSERT, [2, 'two'])).toEqual([]);
  expect(await statements.run(SELECT, [])).toHaveLength(2);
});

test('one that fails later stays prepared, in a transaction, too', async () => {
  const statements = new Statements(pg);
  await statements.run(INSERT, [1, 'one']);
  await pg.exec('begin');
  await expect(statements.run(INSERT, [1, 'again'])).rejects.toMatchObject({ code: '23505' });
  await expect(statements.run(SELECT, [])).rejects.toMatchObject({ code: '25P02' });
  await pg.exec('rollback');
  expect(await statements.run(SELECT, [])).toEqual([{ id: 1, body: 'one' }]);
  expect(await statements.run(INSERT, [2, 'two'])).toEqual([]);
});

test('only so many are kept: the longest unused goes first', async () => {
  const statements = new Statements(pg, 2);
  const [one, two, three] = ['select 1 as n', 'select 2 as n', 'select 3 as n'] as const;
  for (const text of [one, two, one, three]) await statements.run(text, []);
  expect(await listPrepared()).toEqual([one, three]);
  expect(await statements.run(two, [])).toEqual([{ n: 2 }]);
});
