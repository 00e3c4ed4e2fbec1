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
  const ends: ((others?: (Promise<void> | null)[]) => void)[] = [];
  const sharing = new Sharing((batches) => {
    sizes.push(batches.length);
    return new Promise((resolve) => ends.push((others = []) => resolve(others)));
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

test('one that takes long does not count any more', async () => {
  const { sharing, sizes, ends } = open();
  const joined = Array.from({ length: 3 }, () => sharing.join(one()));
  await vi.advanceTimersByTimeAsync(249);
  expect(sizes).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sizes).toEqual([1, 1, 1]);
  sharing.join(one());
  expect(sizes).toEqual([1, 1, 1, 1]);
  // Its end frees no place a second time.
  ends[0]?.();
  await joined[0];
  sharing.join(one());
  expect(sizes).toEqual([1, 1, 1, 1]);
});

test('who could not share goes on later, and holds up nobody who could', async () => {
  const { sharing, sizes, ends } = open();
  const first = sharing.join(one());
  sharing.join(one());
  const both = [sharing.join(one()), sharing.join(one())];
  ends[0]?.();
  await first;
  expect(sizes).toEqual([1, 1, 2]);
  let isLateDone = false;
  let endLate: () => void = () => undefined;
  both[1]?.then(() => {
    isLateDone = true;
  });
  ends[2]?.([null, new Promise((resolve) => (endLate = resolve))]);
  await both[0];
  sharing.join(one());
  expect([sizes, isLateDone]).toEqual([[1, 1, 2, 1], false]);
  endLate();
  await both[1];
  expect(isLateDone).toBe(true);
});

test('a queue that grew while it waited gives no more than it may share', () => {
  const taken: number[] = [];
  const sharing = new Sharing(async (batches) => {
    taken.push(...batches.map((batch) => batch.length));
    return [];
  });
  const [first] = queueOf(1);
  sharing.join(Array.from({ length: 7 }, () => first as Waiting));
  expect(taken).toEqual([4]);
});

test('a Project shares if it has few commands, and all of them may', () => {
  expect(isShareable(queueOf(4))).toBe(true);
  expect(isShareable(queueOf(5))).toBe(false);
  expect(isShareable([...queueOf(1), ...queueOf(1, { isShared: undefined })])).toBe(false);
  expect(isShareable(queueOf(1, { repeatable: false }))).toBe(false);
});
