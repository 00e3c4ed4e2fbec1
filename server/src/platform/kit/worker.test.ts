import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startWorker } from './worker.ts';

const HOUR_MS = 3_600_000;

/** A worker whose runs are ended by hand. It does not rest to the end of its wait, unless that is short. */
function open(pollMs = HOUR_MS) {
  const runs: ((done: number) => void)[] = [];
  const worker = startWorker({
    runOnce: () => new Promise<number>((resolve) => runs.push(resolve)),
    pollMs,
    pollMaxMs: pollMs,
    onFailure: (error) => {
      throw error;
    },
  });
  const end = async (done: number) => {
    runs.at(-1)?.(done);
    await turn();
  };
  return { worker, runs, end };
}

test('it works on at once while there is work, and rests while there is none', async () => {
  const { runs, end, worker } = open();
  await end(3);
  expect(runs).toHaveLength(2);
  await end(0);
  expect(runs).toHaveLength(2);
  await worker.stop();
});

test('it looks again after its rest', async () => {
  const { runs, end, worker } = open(1);
  await end(0);
  await expect.poll(() => runs.length).toBe(2);
  const stopped = worker.stop();
  await end(0);
  await stopped;
});

test('a poke ends its rest, and one while it works makes it look once more', async () => {
  const { runs, end, worker } = open();
  await end(0);
  worker.poke();
  await turn();
  expect(runs).toHaveLength(2);
  worker.poke();
  await end(0);
  expect(runs).toHaveLength(3);
  await end(0);
  expect(runs).toHaveLength(3);
  await worker.stop();
});

test('a stop ends its rest at once', async () => {
  const { runs, end, worker } = open();
  await end(0);
  await worker.stop();
  expect(runs).toHaveLength(1);
});

test('a stop while it works waits for that work, and nothing follows it', async () => {
  const { runs, end, worker } = open();
  let isStopped = false;
  const stopped = worker.stop().then(() => {
    isStopped = true;
  });
  await turn();
  expect(isStopped).toBe(false);
  await end(0);
  await stopped;
  expect(runs).toHaveLength(1);
});
