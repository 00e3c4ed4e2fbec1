import type { Flag } from '../flag.ts';
import { commonFlags } from '../parse-command.ts';
import type { Command } from './command.ts';
import { findGroup, matchWords } from './find-command.ts';

/** The completions for the last word, which is being typed. */
export function complete(commands: readonly Command[], words: readonly string[]): string[] {
  const before = words.slice(0, -1);
  const written = words.at(-1) ?? '';
  return [...new Set(candidates(commands, before, written))].filter((word) =>
    word.startsWith(written),
  );
}

function candidates(
  commands: readonly Command[],
  before: readonly string[],
  written: string,
): string[] {
  if (before.length === 0) return commands.map(({ words }) => words[0] ?? '');
  const found = matchWords(commands, before);
  const group = before.length === 1 ? findGroup(commands, before[0] ?? '') : [];
  if (!found) return group.map(({ words }) => words[1] ?? '');
  const { command, count } = found;
  const given = before.slice(count);
  const previous = flagCalled(command, given.at(-1) ?? '');
  if (previous && previous.type !== 'boolean') return wordsOf(previous);
  const inline = /^(--[\w.-]+=)/.exec(written)?.[1];
  if (inline !== undefined) {
    const flag = flagCalled(command, inline.slice(0, -1));
    return flag ? wordsOf(flag).map((word) => inline + word) : [];
  }
  if (!written.startsWith('-')) {
    const values = argumentWords(command, given);
    if (values.length > 0) return values;
  }
  return flagNames(command, given);
}

/** `--name` of each flag that can still be given. */
function flagNames(command: Command, given: readonly string[]): string[] {
  const open = command.flags.filter(
    (flag) => flag.isList || !given.some((word) => flagCalled(command, word) === flag),
  );
  return [...open.map(({ name }) => name), ...commonFlags(command)].map((name) => `--${name}`);
}

/** The values of the next argument, if they are known. */
function argumentWords(command: Command, given: readonly string[]): string[] {
  const taken = given.filter((word, index) => {
    const previous = flagCalled(command, given[index - 1] ?? '');
    return !word.startsWith('-') && !(previous && previous.type !== 'boolean');
  }).length;
  const name = command.args[taken];
  const flag = command.flags.find((one) => one.name === name);
  return flag ? wordsOf(flag) : [];
}

function flagCalled(command: Command, word: string): Flag | undefined {
  if (!word.startsWith('--')) return undefined;
  const name = word.slice(2);
  return command.flags.find((flag) => flag.name === name || flag.also.includes(name));
}

const wordsOf = (flag: Flag): string[] =>
  flag.type === 'boolean' ? ['true', 'false'] : [...flag.presets, ...(flag.words ?? [])];
