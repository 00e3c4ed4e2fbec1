import { FOUND } from '../calls/call.ts';
import type { Command } from '../commands/command.ts';
import type { Flag } from '../flag.ts';
import { layRecord } from './layout.ts';

export function helpForAll(commands: readonly Command[], call: string): string {
  const alone = commands.filter(({ words }) => words.length === 1);
  const groups = new Map<string, string[]>();
  for (const { words } of commands.filter((one) => one.words.length === 2)) {
    const [name = '', verb = ''] = words;
    groups.set(name, [...(groups.get(name) ?? []), verb]);
  }
  return `Use a running Goodword service from the command line.

Usage: ${call} <command> [options]

${listCommands(alone)}
${indent(layRecord([...groups].map(([name, verbs]) => [name, verbs.join(', ')])))}
Every command has --help. Commands that do not print CSV or a script have --json for a response as JSON. You can also use the singular: reward list. --version prints the version.

Settings, from the environment:
${indent(
  layRecord([
    ['GOODWORD_URL', 'Address of the service (default BASE_URL, or this machine at PORT or 8080)'],
    ['GOODWORD_KEY', 'An API key, used if ADMIN_TOKEN is not set and the call accepts a key'],
    ['ADMIN_TOKEN', 'The operator’s token (default: read from the data folder)'],
    ['DATA_DIR', 'The service’s data folder (default ./data)'],
    ['GOODWORD_PROJECT', 'The project, if --project is not given (default: the only project)'],
    [
      'GOODWORD_WORKSPACE',
      'The workspace, if --workspace is not given (default: the only workspace)',
    ],
    ['NO_COLOR', 'No colours'],
  ]),
)}
Exit codes: 0 success, 1 refused, 2 invalid command line, 3 the service cannot be reached.
`;
}

export function helpForGroup(group: readonly Command[], call: string): string {
  return `Usage: ${call} ${group[0]?.words[0]} <command> [options]\n\n${listCommands(group)}`;
}

export function helpForCommand(command: Command, call: string): string {
  const line = `${call} ${command.words.join(' ')}`;
  const args = command.args
    .map((name) => (FOUND.has(name) ? ` [<${name}>]` : ` <${name}>`))
    .join('');
  const needed = command.flags
    .filter(
      ({ name, isRequired }) => isRequired && !FOUND.has(name) && !command.args.includes(name),
    )
    .map(({ name, value }) => ` --${name} ${value}`)
    .join('');
  const about = command.description === '' ? '' : `${wrap(command.description)}\n\n`;
  return `${command.summary}.

${about}Usage: ${line}${args}${needed} [options]

${indent(
  layRecord([
    ...command.flags.map((flag) => [labelOf(flag), describeFlag(flag)] as const),
    ...(command.isGrave ? ([['--yes', 'Do not ask for confirmation']] as const) : []),
    ...(command.answers === 'script' || command.answers === 'csv'
      ? []
      : ([['--json', 'The response as JSON']] as const)),
    ['--help', 'This help'],
  ]),
)}
Example:

  ${`${line} ${command.example}`.trimEnd()}
`;
}

function labelOf(flag: Flag): string {
  if (flag.short) return `--${flag.name}, -${flag.short} ${flag.value}`;
  return flag.place !== 'body' && flag.type === 'boolean'
    ? `--${flag.name}`
    : `--${flag.name} ${flag.value}`;
}

function describeFlag(flag: Flag): string {
  const words = [...flag.presets, ...(flag.words ?? [])];
  const parts = [
    flag.about || (flag.isSecret ? 'The secret' : ''),
    flag.isSecret ? 'pass it as @file, env:NAME or - for standard input' : '',
    words.length > 4 || (words.length > 0 && flag.isList) ? `one of ${words.join(', ')}` : '',
    flag.min !== null && flag.max !== null ? `${flag.min} to ${flag.max}` : '',
    flag.isList ? 'may be repeated' : '',
    FOUND.has(flag.name) && flag.isRequired ? 'optional if there is only one' : '',
  ].filter((part) => part !== '');
  return parts.join('; ') || capitalize(flag.path.at(-1) ?? '');
}

/** The name of a field as words: `Reason code`. */
function capitalize(name: string): string {
  const words = name.replace(/(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function listCommands(commands: readonly Command[]): string {
  return indent(layRecord(commands.map(({ words, summary }) => [words.join(' '), summary])));
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}

function wrap(text: string): string {
  return text.replaceAll('`', '').replace(/(?![^\n]{1,96}$)([^\n]{1,96})\s/g, '$1\n');
}
