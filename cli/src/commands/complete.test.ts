import { expect, test } from 'vitest';
import { listCommands } from './commands.ts';
import { complete } from './complete.ts';

const commands = listCommands();
const after = (line: string) => complete(commands, line.split(' '));

test.each([
  ['rew', ['rewards']],
  ['rewards v', ['void']],
  ['reward fu', ['fulfil']],
  ['rewards void rwd_1 --reason-c', ['--reason-code']],
  ['rewards void rwd_1 --reason-code f', ['fraud']],
  ['rewards void rwd_1 --reason-code=f', ['--reason-code=fraud']],
  ['rewards void rwd_1 --reason-code fraud --y', ['--yes']],
  ['rewards void rwd_1 --reason-code fraud --reason-c', []],
  ['programs set-status prg_1 a', ['active', 'archived']],
  ['completion ', ['bash', 'zsh', 'fish']],
  ['endpoints update whe_1 --enabled=', ['--enabled=true', '--enabled=false']],
  ['keys create --permissions ba', ['backend']],
  ['nothing ', []],
  ['nothing at ', []],
])('after "%s" comes %j', (line, words) => {
  expect(after(line)).toEqual(words);
});

test('before anything is written, every first word may come, once', () => {
  const words = after('');
  expect(words).toContain('tail');
  expect(words.filter((word) => word === 'rewards')).toHaveLength(1);
});
