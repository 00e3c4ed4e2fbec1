import { expect, test } from 'vitest';
import { OpenWork } from './open-work.ts';

test('settles once all work has ended, also what was begun meanwhile', async () => {
  const failures: unknown[] = [];
  const open = new OpenWork((error) => failures.push(error));
  const done: string[] = [];
  let finish = () => {};
  open.start(async () => {
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    open.begin();
    setImmediate(() => {
      done.push('second');
      open.end();
    });
    done.push('first');
  });
  const settled = [open.settle(), open.settle()];
  finish();
  await Promise.all(settled);
  expect(done).toEqual(['first', 'second']);
  expect(failures).toEqual([]);
});

test('reports failed work, which has ended as well', async () => {
  const failures: unknown[] = [];
  const open = new OpenWork((error) => failures.push(error));
  open.start(() => Promise.reject(new Error('broken')));
  await open.settle();
  expect(failures).toEqual([new Error('broken')]);
});

test('without any work there is nothing to wait for', async () => {
  await expect(new OpenWork(() => {}).settle()).resolves.toBeUndefined();
});
