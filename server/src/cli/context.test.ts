import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Context, confirm } from './context.ts';
import type { Io } from './io.ts';
import { readData, readSecret } from './read-input.ts';

const io = (more: Partial<Io> = {}): Io => ({
  out: async () => undefined,
  err: () => undefined,
  width: null,
  hasColour: false,
  canAsk: true,
  ask: async () => '',
  readInput: async () => '',
  untilEnded: () => new AbortController().signal,
  ...more,
});

test.each([
  ['y', true],
  ['YES', true],
  [' y ', true],
  ['', false],
  ['n', false],
  ['yesterday', false],
])('the answer "%s" is a yes: %s', async (answer, goesOn) => {
  const asked: string[] = [];
  const terminal = io({
    ask: async (question) => {
      asked.push(question);
      return answer;
    },
  });
  const done = confirm({ io: terminal, isConfirmed: false } as Context, 'Void: rwd_1.');
  await (goesOn ? done : expect(done).rejects.toThrow('Nothing was done.'));
  expect(asked).toEqual(['Void: rwd_1. Go on? [y/N] ']);
});

test('--yes asks nobody, and without a terminal it must be there', async () => {
  const terminal = io({ canAsk: false });
  await confirm({ io: terminal, isConfirmed: true } as Context, 'Void: rwd_1.');
  await expect(
    confirm({ io: terminal, isConfirmed: false } as Context, 'Void: rwd_1.'),
  ).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('--yes') });
});

test('a body is JSON on the line, in a file or from standard input; anything else is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'goodword-cli-'));
  const file = join(folder, 'body.json');
  writeFileSync(file, '{"a":1}');
  expect(await readData(io(), undefined)).toEqual({});
  expect(await readData(io(), '{"a":2}')).toEqual({ a: 2 });
  expect(await readData(io(), `@${file}`)).toEqual({ a: 1 });
  expect(await readData(io({ readInput: async () => '{"a":3}' }), '-')).toEqual({ a: 3 });
  for (const wrong of ['[1]', '1', 'null', '{']) {
    await expect(readData(io(), wrong)).rejects.toMatchObject({ exitCode: 2 });
  }
  await expect(readData(io(), '@nowhere')).rejects.toThrow('nowhere cannot be read (ENOENT)');
  await rm(folder, { recursive: true });
});

test('a secret comes from a setting, a file or standard input, without the line’s end', async () => {
  const terminal = io({ readInput: async () => 'hush\n' });
  expect(await readSecret(terminal, {}, 'key', '-')).toBe('hush');
  expect(await readSecret(terminal, { K: 'hush' }, 'key', 'env:K')).toBe('hush');
  await expect(readSecret(terminal, {}, 'key', 'hush')).rejects.toThrow(/^--key is a secret/);
});
