import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createLaterSaver, type Persist } from './save-later.ts';
import type { AttemptResult } from './save-results.ts';

const result = (attempts: number) => ({ attempts }) as AttemptResult;

/** Records what it is asked to save, and how much at a time. */
function openStore(onBegin = () => {}) {
  const transactions: [string, number[]][][] = [];
  let running = 0;
  let most = 0;
  const persist: Persist = async (batch) => {
    running += 1;
    most = Math.max(most, running);
    onBegin();
    await delay(5);
    transactions.push(batch.map(([id, some]) => [id, some.map(({ attempts }) => attempts)]));
    running -= 1;
  };
  return { persist, transactions, mostAtOnce: () => most };
}

// Concurrent, because most of the time they wait.
describe.concurrent('results that are saved later', () => {
  test('a thousand results of a hundred Projects share a few transactions, none lost nor doubled', async () => {
    const store = openStore();
    const save = createLaterSaver(store.persist, 5);
    const saved = Array.from({ length: 1_000 }, (_, n) => save(`prj_${n % 100}`, result(n)));
    await Promise.all(saved);
    expect(store.transactions.map((batch) => batch.length)).toEqual([20, 20, 20, 20, 20]);
    expect(store.mostAtOnce()).toBe(1);
    const all = store.transactions.flat().flatMap(([, some]) => some);
    expect(all.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
  });

  test('the more Projects there are, the more share a transaction', async () => {
    const store = openStore();
    const save = createLaterSaver(store.persist, 5);
    const saved = Array.from({ length: 400 }, (_, n) => save(`prj_${n}`, result(n)));
    await Promise.all(saved);
    expect(store.transactions[0]).toHaveLength(50);
    expect(store.transactions.flat()).toHaveLength(400);
  });

  test('a Project with more than a transaction holds goes on in the next, in order', async () => {
    const store = openStore();
    const save = createLaterSaver(store.persist, 5);
    const saved = Array.from({ length: 700 }, (_, n) => save('prj_a', result(n)));
    await Promise.all(saved);
    expect(store.transactions.map((batch) => batch.map(([, some]) => some.length))).toEqual([
      [500],
      [200],
    ]);
    expect(store.transactions.flat().flatMap(([, some]) => some)[699]).toBe(699);
  });

  test('what comes while a transaction runs is in the next', async () => {
    let second: Promise<void> | undefined;
    const store = openStore(() => {
      second ??= save('prj_b', result(2));
    });
    const save = createLaterSaver(store.persist, 5);
    await save('prj_a', result(1));
    await second;
    expect(store.transactions).toEqual([[['prj_a', [1]]], [['prj_b', [2]]]]);
  });
});
