import { expect, test } from 'vitest';
import type { Tx } from './database.ts';
import { writeFewAsRows } from './few-rows.ts';
import { canJoin, type Statement } from './merge-writes.ts';
import { bigint, insertRows, integer, json, jsonText, text, updateRows } from './write-rows.ts';

interface Note {
  readonly name: string;
  readonly size: bigint | null;
  readonly data: unknown;
}

const A: Note = { name: 'a', size: 1n, data: { of: 'a' } };
const B: Note = { name: 'b', size: null, data: null };

const insertNotes = insertRows<Note>('notes', {
  name: text((note) => note.name),
  size: bigint((note) => note.size),
  data: json((note) => note.data),
});
const updateNotes = updateRows<Note>(
  'notes',
  { name: text((note) => note.name) },
  { size: bigint((note) => note.size), data: json((note) => note.data) },
);

/** What is sent, with one blank wherever there are several. */
function sentBy(write: (tx: Tx) => void, on: Partial<Tx> = {}): Statement[] {
  const sent: Statement[] = [];
  const send: Tx['send'] = (text, params = []) => {
    sent.push({ text: text.replaceAll(/\s+/g, ' ').trim(), params });
  };
  write({ send, ...on } as Tx);
  return sent;
}

const insertOf = (notes: readonly Note[]) =>
  sentBy((tx) => insertNotes(tx, 'p', notes, { at: 'now' }))[0] as Statement;
const updateOf = (notes: readonly Note[]) =>
  sentBy((tx) => updateNotes(tx, 'p', notes, { at: 'now' }))[0] as Statement;

test('an insert has a list for each column, after the columns that all rows share', () => {
  expect(insertOf([A, B])).toEqual({
    text:
      'insert into notes (project_id, at, name, size, data) ' +
      'select $1, $2, r.name, r.size, r.data::json ' +
      'from unnest($3::text[], $4::bigint[], $5::text[]) as r (name, size, data)',
    params: ['p', 'now', ['a', 'b'], [1n, null], ['{"of":"a"}', null]],
  });
});

test('an update finds each row by its keys', () => {
  expect(updateOf([A, B])).toEqual({
    text:
      'update notes t set at = $2, size = r.size, data = r.data::json ' +
      'from (select $1::text as project_id, r.* ' +
      'from unnest($3::text[], $4::bigint[], $5::text[]) as r (name, size, data) offset 0) as r ' +
      'where t.project_id = $1 and t.project_id = r.project_id and t.name = r.name',
    params: ['p', 'now', ['a', 'b'], [1n, null], ['{"of":"a"}', null]],
  });
});

test('the text of a statement depends on the names of the shared columns only', () => {
  const [first, second, other] = sentBy((tx) => {
    insertNotes(tx, 'p', [A], { at: 'now' });
    insertNotes(tx, 'q', [A, B], { at: 'later' });
    insertNotes(tx, 'p', [A]);
  });
  expect(second?.text).toBe(first?.text);
  expect(other?.text).toContain(
    'insert into notes (project_id, name, size, data) select $1, r.name',
  );
});

test('what follows the rows of an insert is part of its text', () => {
  const count = insertRows<number>(
    'counts',
    { value: integer((value) => value) },
    'order by r.value on conflict do nothing',
  );
  expect(sentBy((tx) => count(tx, 'p', [1]))[0]?.text).toBe(
    'insert into counts (project_id, value) select $1, r.value ' +
      'from unnest($2::integer[]) as r (value) order by r.value on conflict do nothing',
  );
});

test('on Citus a short transaction writes rows, others select their lists beside the head of the Project', () => {
  const onCitus = { isDistributed: true, isShort: true };
  expect(sentBy((tx) => insertNotes(tx, 'p', [A, B], { at: 'now' }), onCitus)[0]).toEqual({
    text:
      'insert into notes (project_id, at, name, size, data) values ' +
      '($1, $2, $3::text, $4::bigint, $5::json), ($1, $2, $6::text, $7::bigint, $8::json)',
    params: ['p', 'now', 'a', 1n, '{"of":"a"}', 'b', null, null],
  });
  const besideHead = 'where project_id = $1) as h cross join unnest($2::text[]';
  const textOf = (rows: readonly Note[], isShort: boolean) =>
    sentBy((tx) => insertNotes(tx, 'p', rows), { ...onCitus, isShort })[0]?.text;
  expect(textOf([A, B], false)).toContain(besideHead);
  expect(textOf(Array(25).fill(A), true)).toContain(besideHead);
  expect(textOf([], true)).toContain(besideHead);
});

test('the null of JSON is written where it is meant', () => {
  const insert = insertRows<unknown>('notes', { data: jsonText((data) => JSON.stringify(data)) });
  expect(sentBy((tx) => insert(tx, 'p', [null]))[0]?.params).toEqual(['p', ['null']]);
});

test('few rows are written as rows', () => {
  expect(writeFewAsRows(insertOf([A]))).toEqual({
    text: expect.stringContaining(
      'from (values ($3::text, $4::bigint, $5::text)) as r (name, size, data)',
    ),
    params: ['p', 'now', 'a', 1n, '{"of":"a"}'],
  });
  expect(writeFewAsRows(updateOf([A])).text).toContain(
    'r.* from (values ($3::text, $4::bigint, $5::text)) as r (name, size, data) offset 0',
  );
});

test('writes of other tables run in one statement with it', () => {
  const other = { text: 'update tallies set value = $1', params: [1] };
  expect(canJoin([other], insertOf([A]))).toBe(true);
  expect(canJoin([other], updateOf([A]))).toBe(true);
  expect(canJoin([insertOf([A])], updateOf([A]))).toBe(false);
});
