import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Handler } from './project-write.ts';
import type { Waiting } from './queue.ts';
import { isShareable, Sharing } from './sharing.ts';

const handler = { batchMax: 10, isShared: true, repeatable: true } as unknown as Handler<
  unknown,
  unknown,
  unknown
>;
const queueOf = (count: number, own: object = {}): Waiting[] =>
  Array.from({ length: count }, () => ({
    span: null,
    handler: { ...handler, ...own },
    command: { request: { idempotency: null } } as Waiting['command'],
    resolve: () => undefined,
    reject: () => undefined,
  }));
const one = () => queueOf(1);

/** Transactions that end when they are told to; `sizes` has the number of Projects of each. */
function open() {
  const sizes: number[] = [];
  const ends: (() => void)[] = [];
  const sharing = new Sharing((batches) => {
    sizes.push(batches.length);
    return new Promise((resolve) => ends.push(resolve));
  });
  return { sharing, sizes, ends };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('what arrives while two run shares the next one', async () => {
  const { sharing, sizes, ends } = open();
  const joined = Array.from({ length: 6 }, () => sharing.join(one()));
  expect(sizes).toEqual([1, 1]);
  ends[0]?.();
  await joined[0];
  expect(sizes).toEqual([1, 1, 4]);
});

test('at most fifty share one', async () => {
  const { sharing, sizes, ends } = open();
  const joined = Array.from({ length: 60 }, () => sharing.join(one()));
  ends[0]?.();
  ends[1]?.();
  await Promise.all(joined.slice(0, 2));
  expect(sizes).toEqual([1, 1, 50, 8]);
});

test('who has waited long gets another one, up to eight', async () => {
  const { sharing, sizes } = open();
  for (let n = 0; n < 3; n += 1) sharing.join(one());
  await vi.advanceTimersByTimeAsync(249);
  expect(sizes).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sizes).toEqual([1, 1, 1]);
  for (let n = 0; n < 20; n += 1) {
    sharing.join(one());
    await vi.advanceTimersByTimeAsync(250);
  }
  expect(sizes).toHaveLength(8);
});

test('a Project shares if it has few commands, and all of them may', () => {
  expect(isShareable(queueOf(4))).toBe(true);
  expect(isShareable(queueOf(5))).toBe(false);
  expect(isShareable([...queueOf(1), ...queueOf(1, { isShared: undefined })])).toBe(false);
  expect(isShareable(queueOf(1, { repeatable: false }))).toBe(false);
});
