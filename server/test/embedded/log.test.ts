import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { childProgram } from '../process.ts';

const launch = () =>
  spawn(process.execPath, [childProgram('log')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });

test('the last lines are written before the end', async () => {
  const child = launch();
  child.stdin.end('go');
  expect(JSON.parse(await text(child.stdout))).toMatchObject({ msg: 'the last word' });
});

test('a program whose reader has gone ends all the same', async () => {
  const child = launch();
  const ended = once(child, 'exit');
  child.stdout.destroy();
  await once(child.stdout, 'close');
  child.stdin.end('go');
  expect(await ended).toEqual([0, null]);
});
