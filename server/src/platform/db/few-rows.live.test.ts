import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/database.ts';
import type { Database } from './database.ts';
import { writeFewAsRows } from './few-rows.ts';

const INSERT = {
  text: `insert into notes (project, name, size)
     select $1, n.name, n.size
     from unnest($2::text[], $3::bigint[])
       as n (name, size)`,
  params: (names: (string | null)[], sizes: number[]) => ['p', names, sizes],
};

describe('a statement whose rows are lists', () => {
  test('has one row written as a row', () => {
    const written = writeFewAsRows({ text: INSERT.text, params: INSERT.params(['a'], [1]) });
    expect(written.text).toContain(
      'from (values ($2::text, $3::bigint))\n       as n (name, size)',
    );
    expect(written.params).toEqual(['p', 'a', 1]);
  });

  test('has the second row behind all other parameters', () => {
    const written = writeFewAsRows({
      text: INSERT.text,
      params: INSERT.params(['a', null], [1, 2]),
    });
    expect(written.text).toContain('(values ($2::text, $3::bigint), ($4::text, $5::bigint))');
    expect(written.params).toEqual(['p', 'a', 1, null, 2]);
  });

  test('numbers them where they were numbered', () => {
    const { text } = writeFewAsRows({
      text: 'select e.n from unnest($1::text[]) with ordinality as e (id, n)',
      params: [['a', 'b']],
    });
    expect(text).toBe(
      'select e.n from (values ($1::text, 1::bigint), ($2::text, 2::bigint)) as e (id, n)',
    );
  });

  test.each([
    ['of unlike length', INSERT.text, INSERT.params(['a'], [1, 2])],
    ['that are written already', INSERT.text, ['p', '{}', '{}']],
    ['of no row', INSERT.text, INSERT.params([], [])],
    ['of many rows', INSERT.text, INSERT.params(['a', 'b', 'c'], [1, 2, 3])],
    [
      'that it names twice',
      'select a.id from unnest($1::text[]) as a (id) where a.id <> all ($1::text[])',
      [['a']],
    ],
    ['that are no columns', 'delete from notes where name = any($1::text[])', [['a']]],
    [
      'beside many',
      'from unnest($1::text[]) as a (b), unnest($2::text[]) as c (d)',
      [['a'], [1, 2, 3]],
    ],
  ])('stays as it is with lists %s', (_, text, params) => {
    const statement = { text, params };
    expect(writeFewAsRows(statement)).toBe(statement);
  });
});

describe('a short transaction', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase();
    await database.transaction((tx) =>
      tx.script(
        `create table few_rows (n bigint, name text, size bigint, sum numeric, at timestamptz(3),
           is_so boolean, data json)`,
      ),
    );
  });
  afterAll(() => database.close());

  test.each([1, 2, 3])(
    'leaves the same as any other, with %i rows of every type',
    async (count) => {
      const rows = [
        [
          'a "quoted" {name}, \\ and all',
          2 ** 53 + 2,
          '12345678901234567890.5',
          '2026-11-16T00:00:00.123Z',
          true,
          '{"a":"\\"b\\""}',
        ],
        [null, null, null, null, null, null],
        ['', 0, 0, '1970-01-01T00:00:00.000Z', false, '[]'],
      ].slice(0, count);
      const column = (index: number) => rows.map((row) => row[index]);
      const writeAndRead = (isShort: boolean) =>
        database.transaction(
          async (tx) => {
            await tx.query('delete from few_rows');
            tx.send(
              `insert into few_rows (n, name, size, sum, at, is_so, data)
             select f.n, f.name, f.size, f.sum, f.at, f.is_so, f.data::json
             from unnest($1::text[], $2::bigint[], $3::numeric[], $4::timestamptz[], $5::boolean[],
                 $6::text[]) with ordinality
               as f (name, size, sum, at, is_so, data, n)`,
              [0, 1, 2, 3, 4, 5].map(column),
            );
            return tx.query(
              'select n, name, size, sum::text, at, is_so, data::text from few_rows order by n',
            );
          },
          { isShort },
        );
      const written = await writeAndRead(true);
      expect(written).toHaveLength(count);
      expect(written).toEqual(await writeAndRead(false));
    },
  );
});
