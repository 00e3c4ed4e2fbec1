import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Request } from './calls/client.ts';
import type { Command } from './commands/command.ts';
import { listCommands } from './commands/commands.ts';
import { type Context, confirm } from './context.ts';
import type { Io } from './output/io.ts';
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

function commandOf(words: string): Command {
  const command = listCommands().find((one) => one.words.join(' ') === words);
  if (!command) throw new Error(`no ${words}`);
  return command;
}

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
  expect(asked).toEqual(['Void: rwd_1. Continue? [y/N] ']);
});

test('--yes asks nobody, and without a terminal it must be there', async () => {
  const terminal = io({ canAsk: false });
  await confirm({ io: terminal, isConfirmed: true } as Context, 'Void: rwd_1.');
  await expect(
    confirm({ io: terminal, isConfirmed: false } as Context, 'Void: rwd_1.'),
  ).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('--yes') });
});

test.each([
  [{ status: 'active' }, true],
  [{ status: 'paused' }, true],
  [{ status: 'ended' }, false],
  [{ status: 'archived' }, false],
  [{ data: '{"status":"ended"}' }, false],
])('a program’s status is set by %j without being asked: %s', async (values, isSet) => {
  const sent: unknown[] = [];
  const send = async ({ body }: Request) => {
    sent.push(body);
    return { success: true };
  };
  const context = { io: io({ canAsk: false }), client: { send }, isConfirmed: false };
  const command = commandOf('programs set-status');
  const set = command.run(context as unknown as Context, {
    program: 'prg_1',
    project: 'prj_1',
    ...values,
  });
  const refusal = {
    exitCode: 2,
    message: expect.stringMatching(/: prg_1 (ended|archived)\. Add --yes/),
  };
  await (isSet ? set : expect(set).rejects.toMatchObject(refusal));
  expect(sent).toHaveLength(isSet ? 1 : 0);
});

test('what has no id of its own is named by its address', async () => {
  const context = { io: io({ canAsk: false }), client: {}, isConfirmed: false };
  const erase = commandOf('participants erase').run(context as unknown as Context, {
    id: 'a b',
    project: 'prj_1',
  });
  await expect(erase).rejects.toThrow(': /v1/participants/a%20b. Add --yes');
});

test('a body is JSON on the line, in a file or from standard input; anything else is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'goodword-cli-'));
  const file = join(folder, 'body.json');
  writeFileSync(file, '{"a":1}');
  expect(await readData(io(), undefined, [])).toEqual({});
  expect(await readData(io(), '{"a":2}', [])).toEqual({ a: 2 });
  expect(await readData(io(), `@${file}`, [])).toEqual({ a: 1 });
  expect(await readData(io({ readInput: async () => '{"a":3}' }), '-', [])).toEqual({ a: 3 });
  for (const wrong of ['[1]', '1', 'null', '{']) {
    await expect(readData(io(), wrong, [])).rejects.toMatchObject({ exitCode: 2 });
  }
  await expect(readData(io(), '@nowhere', [])).rejects.toThrow('nowhere cannot be read (ENOENT)');
  await rm(folder, { recursive: true });
});

test('a secret comes from a setting, a file or standard input, without the line’s end', async () => {
  const terminal = io({ readInput: async () => 'hush\n' });
  expect(await readSecret(terminal, {}, 'key', '-')).toBe('hush');
  expect(await readSecret(terminal, { K: 'hush' }, 'key', 'env:K')).toBe('hush');
  await expect(readSecret(terminal, {}, 'key', 'hush')).rejects.toThrow(/^--key is a secret/);
});

test('a body on the line has no secret, at whatever depth; one from elsewhere may', async () => {
  for (const [words, body, path] of [
    ['stripe connect', { restrictedKey: 'rk_live_hush' }, 'restrictedKey'],
    ['payout-connections connect', { wise: { token: 'hush' } }, 'wise.token'],
  ] as const) {
    const text = JSON.stringify(body);
    const onLine = await readData(io(), text, commandOf(words).flags).catch(
      (error: unknown) => error,
    );
    expect(onLine).toMatchObject({ exitCode: 2 });
    expect(String(onLine)).toContain(`--data has ${path}, which is a secret`);
    expect(String(onLine)).not.toContain('hush');
    expect(
      await readData(io({ readInput: async () => text }), '-', commandOf(words).flags),
    ).toEqual(body);
  }
  const harmless = '{"webhookSecret":null,"isEnabled":true,"wise":null}';
  expect(await readData(io(), harmless, commandOf('stripe update').flags)).toHaveProperty(
    'isEnabled',
  );
  expect(
    await readData(io(), harmless, commandOf('payout-connections connect').flags),
  ).toBeTruthy();
});
