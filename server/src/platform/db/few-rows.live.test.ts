import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/database.ts';
import type { Database } from './database.ts';
import { writeFewAsRows } from './few-rows.ts';
import {
  bigint,
  boolean,
  date,
  insertRows,
  integer,
  json,
  numeric,
  text,
  timestamptz,
  updateRows,
} from './write-rows.ts';

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
    ['that are numbered', 'from unnest($1::text[]) with ordinality as a (b, n)', [['a']]],
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

interface Stored {
  readonly name: string | null;
  readonly size: number | null;
  readonly sum: string | null;
  readonly at: string | null;
  readonly day: string | null;
  readonly is_so: boolean | null;
  readonly data: unknown;
}

const FULL: Stored = {
  name: 'a "quoted" {name}, \\ and all',
  size: 2 ** 53 + 2,
  sum: '12345678901234567890.5',
  at: '2026-11-16T00:00:00.123Z',
  day: '2026-11-16',
  is_so: true,
  data: { a: '"b"' },
};
const EMPTY: Stored = {
  name: null,
  size: null,
  sum: null,
  at: null,
  day: null,
  is_so: null,
  data: null,
};

const insertFew = insertRows<Stored & { readonly n: number }>('few_rows', {
  n: integer((row) => row.n),
  name: text((row) => row.name),
  size: bigint((row) => row.size),
  sum: numeric((row) => row.sum),
  at: timestamptz((row) => row.at),
  day: date((row) => row.day),
  is_so: boolean((row) => row.is_so),
  data: json((row) => row.data),
});
const updateFew = updateRows<{ readonly n: number; readonly data: unknown }>(
  'few_rows',
  { n: integer((row) => row.n) },
  { data: json((row) => row.data) },
);

const AT = '2026-11-15T02:39:25.120Z';
const LATER = '2026-11-16T00:00:00.000Z';

describe('a short transaction', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase();
    await database.transaction((tx) =>
      tx.script(
        `create table few_rows (project_id text, made_at timestamptz(3), kept_at timestamptz(3), n integer, name text,
           size bigint, sum numeric, at timestamptz(3), day date, is_so boolean, data json)`,
      ),
    );
  });
  afterAll(() => database.close());

  test.each([1, 2, 3])(
    'leaves the same as any other, with %i rows of every type',
    async (count) => {
      const rows = [FULL, EMPTY, { ...FULL, name: '', size: 0, is_so: false, data: [] }]
        .slice(0, count)
        .map((row, n) => ({ ...row, n }));
      const writeAndRead = (isShort: boolean) =>
        database.transaction(
          async (tx) => {
            await tx.query('delete from few_rows');
            insertFew(tx, 'p', rows, { made_at: AT, kept_at: AT });
            insertFew(tx, 'q', rows, { made_at: AT, kept_at: AT });
            const changes = rows.map(({ n }) => ({ n, data: n === 0 ? null : { n } }));
            updateFew(tx, 'q', changes, { kept_at: LATER });
            return tx.query(
              `select project_id, made_at, kept_at, n, name, size, sum::text, at, day::text, is_so, data
             from few_rows order by project_id, n`,
            );
          },
          { facts: isShort ? 1 : 2 },
        );
      const written = await writeAndRead(true);
      expect(written).toEqual([
        ...rows.map((row) => ({
          ...row,
          project_id: 'p',
          made_at: AT,
          kept_at: AT,
          size: row.size === null ? null : BigInt(row.size),
        })),
        ...rows.map((row) => ({
          ...row,
          project_id: 'q',
          made_at: AT,
          kept_at: LATER,
          size: row.size === null ? null : BigInt(row.size),
          data: row.n === 0 ? null : { n: row.n },
        })),
      ]);
      expect(await writeAndRead(false)).toEqual(written);
    },
  );
});
