import { describe, expect, test } from 'vitest';
import { readDocument } from '../calls/document.ts';
import { GROUP_ALIASES, NAMES, WITHOUT_COMMAND } from '../names.ts';
import { helpForCommand } from '../output/help.ts';
import { parseCommand } from '../parse-command.ts';
import { listCommands } from './commands.ts';

const commands = listCommands();
const routes = Object.entries(readDocument().paths).flatMap(([path, operations]) =>
  Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
);
const named = commands.map((command) => [command.words.join(' '), command] as const);

describe('the table of names', () => {
  test('has every operation of openapi.json, or says why it has none', () => {
    const known = [...Object.keys(NAMES), ...Object.keys(WITHOUT_COMMAND)];
    expect(known.toSorted()).toEqual(routes.toSorted());
    for (const reason of Object.values(WITHOUT_COMMAND)) expect(reason).toMatch(/\.$/);
  });

  test('calls no two commands alike', () => {
    const calls = commands.flatMap(({ words, also }) =>
      [words, ...also].map((call) => call.join(' ')),
    );
    expect(calls.toSorted()).toEqual([...new Set(calls)].toSorted());
    // A word is either a command by itself or a group.
    const things = new Set(commands.filter((one) => one.words[1]).map((one) => one.words[0]));
    for (const { words } of commands) {
      if (words.length === 1) expect(things).not.toContain(words[0]);
    }
    for (const [alias, target] of Object.entries(GROUP_ALIASES)) {
      expect(things).toContain(target);
      expect(things).not.toContain(alias);
    }
  });

  test('asks before everything that deletes', () => {
    const deleting = Object.entries(NAMES).filter(([route]) => route.startsWith('DELETE '));
    expect(deleting.length).toBeGreaterThan(4);
    for (const [, naming] of deleting) {
      const words = typeof naming === 'string' ? naming : naming.words;
      expect(commands.find((one) => one.words.join(' ') === words)?.isGrave, words).toBe(true);
    }
    for (const words of [
      'rewards void',
      'keys rotate',
      'keys revoke',
      'batches submit',
      'payouts record',
      'programs set-status',
    ]) {
      expect(commands.find((one) => one.words.join(' ') === words)?.isGrave, words).toBe(true);
    }
  });
});

describe.each(named)('%s', (name, command) => {
  test('has flags that are told apart, and arguments that are flags', () => {
    const names = command.flags.flatMap((flag) => [flag.name, ...flag.also]);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
    for (const own of ['help', 'json', 'yes']) expect(names).not.toContain(own);
    const flags = command.flags.map((flag) => flag.name);
    for (const arg of command.args) expect(flags).toContain(arg);
  });

  test('has a help that names every flag, and an example that is understood', () => {
    const help = helpForCommand(command, 'goodword');
    for (const flag of command.flags) expect(help).toContain(`  --${flag.name}`);
    const line = /\n\nExample:\n\n {2}goodword (.*)\n$/.exec(help)?.[1] ?? '';
    expect(line.startsWith(name)).toBe(true);
    expect(parseCommand(commands, split(line), 'goodword')).toMatchObject({
      kind: 'run',
      command: { words: command.words },
    });
  });
});

/** Splits a line like a shell, as far as the examples need it. */
function split(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|\\'|[^\s'])+/g)].map(([word]) =>
    word.replaceAll("'\\''", '’').replaceAll("'", ''),
  );
}
