import type { Document } from '../calls/document.ts';
import { bodyFlags } from '../calls/schema-flags.ts';
import { commandFlag, type Flag } from '../flag.ts';
import type { Command } from './command.ts';
import { programCommands } from './program-commands.ts';

const PROJECT = commandFlag('project', 'The project, prj_…', { value: '<id>' });

/** The commands that make more than one call. Their dependencies are loaded when they run. */
export function ownCommands(document: Document): readonly Command[] {
  return [initCommand(document), ...OTHERS, ...programCommands];
}

/** The options of its key are those of the API. */
function initCommand(document: Document): Command {
  const body = document.paths['/v1/api-keys']?.post?.requestBody?.content['application/json'];
  const ofKey = new Map(
    bodyFlags(document, body?.schema ?? {}).map((flag) => [flag.name, flag] as const),
  );
  const { words = null, value = '' } = ofKey.get('environment') ?? {};
  const permissions = ofKey.get('permissions');
  return own({
    words: ['init'],
    summary: 'Create a workspace, a project, an API key and a widget secret in one step',
    flags: [
      commandFlag('name', 'The workspace’s name (default Acme)'),
      commandFlag('project', 'The project’s name (default Shop)', { value: '<name>' }),
      commandFlag('environment', 'The environment (default sandbox)', { words, value }),
      commandFlag('permissions', 'The key’s permissions (default full)', {
        isList: true,
        words: permissions?.words ?? null,
        presets: permissions?.presets ?? [],
      }),
    ],
    example: '--name Acme --project Shop',
    answers: 'record',
    run: async (context, values) => (await import('./init.ts')).runInit(context, values),
  });
}

const OTHERS: readonly Command[] = [
  own({
    words: ['tail'],
    summary: 'Follow the events of a project as they happen',
    description:
      'Starts with new events. Reconnects automatically when the connection breaks, and misses nothing. Stop it with Ctrl-C.',
    flags: [
      PROJECT,
      commandFlag('type', 'Only these types, such as reward.*', { isList: true, value: '<type>' }),
      commandFlag('last', 'Start with this many of the newest events', {
        type: 'integer',
        min: 1,
        max: 500,
        value: '<number>',
      }),
      commandFlag(
        'since',
        'Start at this time or this long ago: 2026-11-15T00:00:00Z, 30m, 24h, 7d',
        {
          value: '<time>',
        },
      ),
    ],
    example: "--type 'reward.*' --last 20",
    answers: 'lines',
    run: async (context, values) => (await import('./tail.ts')).runTail(context, values),
  }),
  own({
    words: ['explain'],
    summary: 'Explain the attribution of an event and the rewards it earned',
    description: 'Takes the id of an event, or of a reward to explain its event.',
    flags: [
      commandFlag('id', 'An event, evt_…, or a reward, rwd_…', { isRequired: true, value: '<id>' }),
      PROJECT,
    ],
    args: ['id'],
    example: 'evt_01ka3m…',
    answers: 'record',
    run: async (context, values) => (await import('./explain.ts')).runExplain(context, values),
  }),
  own({
    words: ['doctor'],
    summary: 'Check the settings, the service, the database and open tasks, and suggest what to do',
    description:
      'Run it where the service runs, with the service’s settings. Changes nothing. The exit code is 1 if there is a problem.',
    flags: [PROJECT],
    example: '',
    answers: 'record',
    run: async (context, values) => (await import('../doctor/run.ts')).runDoctor(context, values),
  }),
  own({
    words: ['completion'],
    summary: 'Print a script for shell completion',
    flags: [
      commandFlag('shell', 'The shell', {
        isRequired: true,
        words: ['bash', 'zsh', 'fish'],
        value: '<bash|zsh|fish>',
      }),
    ],
    args: ['shell'],
    example: 'bash',
    answers: 'script',
    run: async (context, values) =>
      (await import('./completion.ts')).runCompletion(context, values),
  }),
];

function own(
  command: Pick<Command, 'words' | 'summary' | 'example' | 'answers' | 'run'> & {
    readonly flags: readonly Flag[];
    readonly args?: readonly string[];
    readonly description?: string;
  },
): Command {
  return { also: [], description: '', args: [], isGrave: false, ...command };
}
