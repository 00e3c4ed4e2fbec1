import type { Command } from './command.ts';
import { layRecord } from './layout.ts';

/** How the command line is called from the project's folder. */
export const CALL = 'npm run goodword --';

export function helpForAll(commands: readonly Command[]): string {
  return `Sets up a running Goodword service, from its command line.

Usage: ${CALL} <command> [options]

${listCommands(commands)}
Every command takes --help, and --json for its answer as JSON (with npm run --silent, so that
npm adds nothing to it).

Settings, from the environment:
${indent(
  layRecord([
    ['GOODWORD_URL', 'Where the service is; else BASE_URL, else this machine, at PORT or 8080'],
    ['ADMIN_TOKEN', 'The operator’s token; unless told, read from the data folder'],
    ['DATA_DIR', 'The service’s data folder; ./data unless told'],
  ]),
)}`;
}

export function helpForGroup(group: readonly Command[]): string {
  return `Usage: ${CALL} ${group[0]?.words[0]} <command> [options]\n\n${listCommands(group)}`;
}

export function helpForCommand(command: Command): string {
  const options = Object.entries(command.options);
  const usage = options
    .filter(([, { needed }]) => needed === 'always')
    .map(([name, { value }]) => ` --${name} ${value}`)
    .join('');
  const isMore = options.some(([, { needed }]) => needed !== 'always');
  return `${command.summary}.

Usage: ${CALL} ${command.words.join(' ')}${usage}${isMore ? ' [options]' : ''}

${indent(
  layRecord([
    ...options.map(([name, { value, about, needed, fallback }]) => {
      const note =
        needed === 'repeatable'
          ? '; may be repeated'
          : fallback === undefined
            ? ''
            : `; ${fallback} unless told`;
      return [`--${name} ${value}`, `${about}${note}`] as const;
    }),
    ['--json', 'The answer as JSON'],
    ['--help', 'This help'],
  ]),
)}`;
}

function listCommands(commands: readonly Command[]): string {
  return indent(layRecord(commands.map(({ words, summary }) => [words.join(' '), summary])));
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
