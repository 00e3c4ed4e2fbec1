import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BASELINE } from '../../src/platform/db/before-baseline.ts';
import { objectionsTo } from '../migration-rules.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
const names = readdirSync(FOLDER).toSorted();

test('what came after the baseline can be rolled out beside what runs', () => {
  expect(names[0]).toBe(BASELINE);
  const objections = names
    .filter((name) => name > BASELINE)
    .flatMap((name) =>
      objectionsTo(
        readFileSync(new URL(name, FOLDER), 'utf8'),
        names.filter((other) => other < name),
      ).map((why) => `${name} ${why}`),
    );
  expect(objections).toEqual([]);
});

const BEFORE = ['0001_a.sql', '0002_b.sql'];
const judge = (sql: string, runsBeside = '0002_b.sql') =>
  objectionsTo(`-- Runs beside: ${runsBeside}\n${sql}`, BEFORE);

test.each([
  'create table t (project_id text not null, id text not null, primary key (project_id, id));\ncreate unique index t_i on t (project_id, id); alter table t add n bigint not null;',
  'alter table t add column n bigint;',
  'alter table t add column n bigint not null default 0;',
  'alter table t add constraint c check (n > 0) not valid;',
  'create index if not exists t_n on t (project_id, n);',
  'drop index t_n;',
  '-- Widens: t_n\ncreate unique index if not exists t_nm on t (project_id, n, m); drop index t_n;',
  '-- Drops nothing: drop table t;\nselect 1;',
  "-- Takes long: few rows\nupdate t set n = 1 where note = 'drop table';",
])('allowed: %s', (sql) => expect(judge(sql)).toEqual([]));

test.each([
  ['drop table t;', 'takes away what older programs use'],
  ['alter table t drop column n;', 'takes away what older programs use'],
  ['alter table t rename column n to m;', 'renames what older programs use'],
  ['alter table t alter column n type text;', 'changes a type'],
  ['alter table t alter column n set not null;', 'refuses nulls that older programs write'],
  ['alter table t add column n bigint not null;', 'adds a column that older programs do not fill'],
  [
    'create unique index if not exists t_n on t (project_id, n);',
    'refuses rows that older programs write',
  ],
  [
    '-- Widens: t_n\ncreate unique index if not exists t_nm on t (project_id, n, m);',
    'refuses rows that older programs write',
  ],
  ['update t set n = 1;', 'works through a whole table'],
  [
    'create index t_n on t (project_id, n);',
    'cannot be made ahead: say "create index if not exists"',
  ],
  [
    'alter table t add constraint c check (n > 0);',
    'checks a whole table under a lock: say "not valid"',
  ],
  ['create index concurrently if not exists t_n on t (n);', 'cannot run in its transaction'],
])('not allowed: %s', (sql, why) => expect(judge(sql)).toContain(why));

test('it says which programs go on beside it, or that none does', () => {
  expect(objectionsTo('select 1;', BEFORE)).toEqual(['has no line "-- Runs beside: …"']);
  expect(judge('select 1;', '0009_z.sql')).toEqual([
    'runs beside 0009_z.sql, which is not before it',
  ]);
  expect(judge('drop table t; update u set n = 1;', 'none')).toEqual([]);
});

test('what no program uses any more may be taken away, once all that run know', () => {
  const sql = '-- Contracts: t.n, unused since 0002_b.sql\nalter table t drop column n;';
  expect(judge(sql)).toEqual([]);
  expect(judge(sql, '0001_a.sql')).toEqual(['takes away what older programs use']);
});
