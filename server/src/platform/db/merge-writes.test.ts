import { expect, test } from 'vitest';
import { canJoin, createMerger } from './merge-writes.ts';

const mergeWrites = createMerger();

const insertNote = { text: 'insert into notes (id, body) values ($1, $2)', params: [1, 'a'] };
const updateTally = {
  text: 'update tallies set value = value + $2 where id = $1',
  params: ['n', 1],
};

test('writes of tables that have nothing to do with each other become one statement', () => {
  expect(canJoin([insertNote], updateTally)).toBe(true);
  expect(mergeWrites([insertNote, updateTally], 'long')).toEqual([
    {
      text: `with w0 as (insert into notes (id, body) values ($1, $2)) update tallies set value = value + $4 where id = $3`,
      params: [1, 'a', 'n', 1],
    },
  ]);
});

test('one write alone stays as it is', () => {
  expect(mergeWrites([insertNote], 'long')).toEqual([insertNote]);
});

test.each([
  ['the same table twice', [insertNote], { text: 'delete from notes where id = $1', params: [1] }],
  [
    'a table that the next one reads',
    [insertNote],
    { text: 'update tallies set value = (select count(*) from notes)', params: [] },
  ],
  [
    'a table that one before it reads',
    [{ text: 'insert into copies select * from tallies', params: [] }],
    updateTally,
  ],
  ['what is no write', [insertNote], { text: 'select 1 / 0', params: [] }],
  ['anything after what is no write', [{ text: 'select 1 / 0', params: [] }], insertNote],
])('%s is not merged', (_, waiting, next) => {
  expect(canJoin(waiting, next)).toBe(false);
});

test('each database has its own combinations: those of another do not use them up', () => {
  const pairs = Array.from({ length: 201 }, (_, number) => [
    { text: `insert into notes (id, body) values ($1, $2) returning ${number}`, params: [1, 'a'] },
    updateTally,
  ]);
  const busy = createMerger();
  const counts = pairs.map((pair) => busy(pair, 'short').length);
  expect([counts.indexOf(2), counts.filter((count) => count === 1).length]).toEqual([200, 200]);
  expect(busy(pairs[0] ?? [], 'short')).toHaveLength(1);
  expect(createMerger()(pairs[200] ?? [], 'short')).toHaveLength(1);
});
