import { expect, test } from 'vitest';
import { handleTogether } from './handle-together.ts';

const nextTurn = () => new Promise(setImmediate);

test('what comes in one turn of the event loop is handled together, in order, and once', async () => {
  const groups: number[][] = [];
  const add = handleTogether<number>((items) => groups.push([...items]));
  add(1);
  await Promise.resolve();
  add(2);
  expect(groups).toEqual([]);
  await nextTurn();
  expect(groups).toEqual([[1, 2]]);
  await nextTurn();
  expect(groups).toHaveLength(1);
});

test('what is added while a group is handled is in the next', async () => {
  const groups: number[][] = [];
  const add = handleTogether<number>((items) => {
    groups.push([...items]);
    if (items.includes(1)) add(2);
  });
  add(1);
  await nextTurn();
  await nextTurn();
  expect(groups).toEqual([[1], [2]]);
});
