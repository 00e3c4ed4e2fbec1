import { FOUND } from './calls/call.ts';
import { EXIT } from './cli-error.ts';
import type { Command } from './commands/command.ts';
import { findGroup, matchWords, splitWords } from './commands/find-command.ts';
import { type Flag, readValue, type Value } from './flag.ts';
import { helpForAll, helpForCommand, helpForGroup } from './output/help.ts';
import type { Values } from './output/values.ts';

interface Asked {
  readonly command: Command;
  readonly values: Values;
  readonly asJson: boolean;
  readonly isConfirmed: boolean;
}

type Parsed =
  | ({ readonly kind: 'run' } & Asked)
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'mistake'; readonly text: string; readonly exitCode: number };

/** Parses a command line. Pure: nothing is printed, called or read. */
export function parseCommand(
  commands: readonly Command[],
  args: readonly string[],
  call: string,
): Parsed {
  const { words, rest } = splitWords(args);
  const asksHelp = rest.includes('--help') || rest.includes('-h');
  const mistake = (sentence: string, ...at: readonly string[]): Parsed => ({
    kind: 'mistake',
    exitCode: EXIT.usage,
    text: `${sentence}\nFor help: ${[call, ...at, '--help'].join(' ')}\n`,
  });

  if (words.length === 0) {
    if (rest.length === 0 || asksHelp) return { kind: 'help', text: helpForAll(commands, call) };
    return mistake(`Enter a command before ${rest[0]}.`);
  }
  const found = matchWords(commands, words);
  if (found) {
    const { command, count } = found;
    if (asksHelp) return { kind: 'help', text: helpForCommand(command, call) };
    const parsed = parseFlags(command, [...words.slice(count), ...rest]);
    return typeof parsed === 'string'
      ? { ...mistake(parsed, ...command.words), ...exitOf(command) }
      : { kind: 'run', command, ...parsed };
  }
  const group = findGroup(commands, words[0] ?? '');
  if (group.length === 0) {
    const names = [...new Set(commands.map((one) => one.words[0]))].join(', ');
    return mistake(`There is no command "${words[0]}". Commands: ${names}.`);
  }
  if (asksHelp && words.length === 1) return { kind: 'help', text: helpForGroup(group, call) };
  const verbs = group.map((one) => one.words[1]).join(', ');
  const said =
    words[1] === undefined
      ? `Choose what to do with "${words[0]}": ${verbs}.`
      : `There is no command "${words[0]} ${words[1]}". Commands: ${verbs}.`;
  return mistake(said, words[0] ?? '');
}

const exitOf = ({ exitOfMistake }: Command) =>
  exitOfMistake === undefined ? {} : { exitCode: exitOfMistake };

/** The flags that every command has, or every one of its kind. */
export function commonFlags(command: Command): string[] {
  return [
    ...(command.isGrave ? ['yes'] : []),
    ...(command.answers === 'script' || command.answers === 'csv' ? [] : ['json']),
    'help',
  ];
}

/** The given values, or a sentence about what is wrong. */
function parseFlags(command: Command, args: readonly string[]): Omit<Asked, 'command'> | string {
  const name = command.words.join(' ');
  const common = commonFlags(command);
  const byName = new Map(command.flags.flatMap((flag) => namesOf(flag).map((one) => [one, flag])));
  const given = new Map<Flag, Value>();
  const switches = new Set<string>();
  const open = command.args.flatMap((arg) => command.flags.filter((flag) => flag.name === arg));
  const queue = [...args];
  let isLiteral = false;

  for (let arg = queue.shift(); arg !== undefined; arg = queue.shift()) {
    if (arg === '--' && !isLiteral) {
      isLiteral = true;
      continue;
    }
    if (isLiteral || !arg.startsWith('-')) {
      const flag = open.find((one) => !given.has(one));
      if (!flag) return tooMany(command, name, arg);
      const issue = give(given, flag, arg);
      if (issue !== null) return issue;
      continue;
    }
    const [, dashes = '', written = '', inline] = /^(--?)([^=]*)(?:=(.*))?$/s.exec(arg) ?? [];
    if (dashes === '--' && common.includes(written)) {
      if (inline !== undefined) return `--${written} takes no value.`;
      switches.add(written);
      continue;
    }
    const flag =
      dashes === '--'
        ? byName.get(written)
        : command.flags.find(({ short }) => short !== undefined && short === written);
    if (!flag) {
      const negated = /^no-/.test(written) ? byName.get(written.slice(3)) : undefined;
      if (negated?.type !== 'boolean' || inline !== undefined) {
        return unknownFlag(command, common, name, `${dashes}${written}`);
      }
      const issue = give(given, negated, 'false');
      if (issue !== null) return issue;
      continue;
    }
    const text = inline ?? takeValue(flag, queue);
    const isEmptyList = text === '' && flag.isList && flag.place === 'body';
    if (text === undefined || (text === '' && !isEmptyList)) {
      return `--${flag.name} needs a value: --${flag.name} ${flag.value}`;
    }
    const issue = give(given, flag, text);
    if (issue !== null) return issue;
  }

  const missing = command.flags.filter(
    (flag) => flag.isRequired && !FOUND.has(flag.name) && !given.has(flag),
  );
  const hasData = [...given.keys()].some((flag) => flag.name === 'data');
  const needed = hasData ? missing.filter(({ place }) => place !== 'body') : missing;
  if (needed.length > 0) {
    return `"${name}" needs ${needed.map(describeNeed).join(' and ')}.`;
  }
  return {
    values: Object.fromEntries([...given].map(([flag, value]) => [flag.name, value])),
    asJson: switches.has('json'),
    isConfirmed: switches.has('yes'),
  };
}

/** Stores a value; returns what is wrong with it. */
function give(given: Map<Flag, Value>, flag: Flag, text: string): string | null {
  const before = given.get(flag);
  if (before !== undefined && !flag.isList) return `--${flag.name} is given twice.`;
  // The source of a secret is not yet its value.
  const read = flag.isSecret ? { value: text } : readValue(flag, text);
  if (read.issue !== undefined) return `--${flag.name} ${read.issue}.`;
  const more = flag.isList && flag.type === 'json' && !Array.isArray(read.value);
  const value = more ? [read.value] : read.value;
  given.set(flag, Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value);
  return null;
}

function takeValue(flag: Flag, queue: string[]): string | undefined {
  const next = queue[0];
  if (flag.type === 'boolean') {
    return next === 'true' || next === 'false' ? queue.shift() : 'true';
  }
  if (next === undefined || (next.startsWith('-') && next !== '-')) return undefined;
  return queue.shift();
}

const namesOf = (flag: Flag): string[] => [flag.name, ...flag.also];

const describeNeed = (flag: Flag): string =>
  flag.words === null ? `--${flag.name}` : `--${flag.name} (${flag.words.join(', ')})`;

function tooMany({ args }: Command, name: string, arg: string): string {
  const most =
    args.length === 0 ? 'options only' : `${args.map((one) => `<${one}>`).join(' ')} and options`;
  return `"${name}" takes ${most}, not "${arg}".`;
}

function unknownFlag(
  command: Command,
  common: readonly string[],
  name: string,
  written: string,
): string {
  const names = [...command.flags.map((flag) => flag.name), ...common];
  return `"${name}" has no option ${written}. Options: ${names.map((one) => `--${one}`).join(', ')}.`;
}
