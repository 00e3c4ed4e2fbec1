import { expect, test } from 'vitest';
import { generateWorld } from '../world/generate.ts';
import type { WorldSpec } from '../world/operations.ts';
import { shrinkWorld } from './shrink.ts';

const planted = ({ operations, processes }: WorldSpec, needed: readonly number[]) => {
  const places = needed.map((id) => operations.findIndex((one) => one.id === id));
  const isInOrder = places.every((place, at) => place > (at === 0 ? -1 : (places[at - 1] ?? -1)));
  return isInOrder && processes > 0;
};

test('a failure that needs three operations is shrunk to these three', async () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const world = generateWorld(seed, 120);
    const needed = [7 + seed, 60, 119 - seed];
    const { spec } = await shrinkWorld(world, async (one) => planted(one, needed), 2_000);
    expect(spec.operations.map(({ id }) => id)).toEqual(needed);
    expect(spec.endpoints).toEqual([]);
    expect(spec.processes).toBe(1);
  }
});

test('an operation that can only go after a later one has gone is left out as well', async () => {
  const world = generateWorld(1, 40);
  // Operation 20 must stay as long as 10 is there.
  const fails = async ({ operations }: WorldSpec) => {
    const ids = new Set(operations.map(({ id }) => id));
    return ids.has(5) && (!ids.has(10) || ids.has(20));
  };
  const { spec } = await shrinkWorld(world, fails, 2_000);
  expect(spec.operations.map(({ id }) => id)).toEqual([5]);
});

test('what matters is kept: a failure that needs two processes keeps them', async () => {
  const world = { ...generateWorld(1, 20), processes: 2 };
  const { spec } = await shrinkWorld(world, async ({ processes }) => processes === 2, 2_000);
  expect(spec.processes).toBe(2);
  expect(spec.operations).toEqual([]);
});

test('it ends after so many tries, with a world that fails', async () => {
  const world = generateWorld(1, 120);
  let played = 0;
  const fails = async (one: WorldSpec) => {
    played += 1;
    return planted(one, [100]);
  };
  const { spec, tries } = await shrinkWorld(world, fails, 5);
  expect(tries).toBe(5);
  expect(played).toBe(5);
  expect(planted(spec, [100])).toBe(true);
});
