import { CliError, EXIT } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { commandFlag, type Flag } from '../flag.ts';
import type { Values } from '../output/values.ts';
import type { Command } from './command.ts';

const PROJECT = commandFlag('project', 'The project, prj_…', { value: '<id>' });
const FILE: Flag = {
  ...commandFlag('file', 'The file, YAML or JSON; - for standard input', {
    isRequired: true,
    value: '<path|->',
  }),
  short: 'f',
};
const PROGRAM = commandFlag(
  'program',
  'The program, by its id or key (default: the one with the key in the file)',
  { value: '<id|key>' },
);
const PRUNE = commandFlag('prune', 'End the rules that the file lacks', { type: 'boolean' });

/** Programs as files. */
export const programCommands: readonly Command[] = [
  {
    words: ['programs', 'export'],
    also: [],
    summary: 'Print a program as a YAML file',
    description:
      'What is in force now. Versions that take effect later are named in comments. Needs a key with programs:read.',
    flags: [
      commandFlag('id', 'The program, by its id or key', { isRequired: true, value: '<id|key>' }),
      commandFlag('out', 'Write to this file instead', { value: '<path>' }),
      PROJECT,
    ],
    args: ['id'],
    example: 'invite-a-friend --out program.yaml',
    answers: 'record',
    isGrave: false,
    exitOfMistake: EXIT.refused,
    run: guard(async (context, values) =>
      (await import('./program-files.ts')).runExport(context, values),
    ),
  },
  {
    words: ['programs', 'plan'],
    also: ['programs diff'.split(' ')],
    summary: 'Show what a file would change of a program',
    description:
      'Changes nothing. The exit code is 0 if there is nothing to do, 2 if there are changes, and 1 for an error. Needs a key with programs:read.',
    flags: [FILE, PROGRAM, PRUNE, PROJECT],
    args: ['file'],
    example: '-f program.yaml',
    answers: 'record',
    isGrave: false,
    exitOfMistake: EXIT.refused,
    run: guard(async (context, values) =>
      (await import('./program-files.ts')).runPlan(context, values),
    ),
  },
  {
    words: ['programs', 'apply'],
    also: [],
    summary: 'Change a program to what a file says',
    description:
      'Shows the changes and asks before it makes them, all or none. A file whose key no program has creates one, as a draft. The exit code is 0 if it is done or there was nothing to do, and 1 for an error. Needs a key with programs:write and programs:read.',
    flags: [FILE, PROGRAM, PRUNE, PROJECT],
    args: ['file'],
    example: '-f program.yaml --yes',
    answers: 'record',
    isGrave: true,
    exitOfMistake: EXIT.refused,
    run: guard(async (context, values) =>
      (await import('./program-files.ts')).runApply(context, values),
    ),
  },
];

type Run = (context: Context, values: Values) => Promise<number | undefined>;

/** 2 means that there are changes: whatever is wrong is 1. */
function guard(run: Run): Run {
  return async (context, values) => {
    try {
      return await run(context, values);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      throw new CliError(error.message, EXIT.refused, error.body);
    }
  };
}
