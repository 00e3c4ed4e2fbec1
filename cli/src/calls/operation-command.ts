import type { Command } from '../commands/command.ts';
import { commandFlag, type Flag } from '../flag.ts';
import { pathFlagName, toKebab } from '../flag-names.ts';
import { isGrave, type Naming } from '../names.ts';
import { listFieldOf } from '../output/list-field.ts';
import { type Call, FOUND } from './call.ts';
import { callOperation } from './call-operation.ts';
import { contentOf, type Document, type Operation } from './document.ts';
import { bodyFlags, parameterFlag } from './schema-flags.ts';

/** Paging parameters of lists, which the command sets itself. */
const PAGING = new Set(['limit', 'cursor', 'offset']);

const DATA = commandFlag('data', 'The body as JSON: @file, or - for standard input', {
  value: '<json|@file|->',
});
const CLEAR = commandFlag('clear', 'A field to clear', { isList: true, value: '<field>' });
const LIMIT = commandFlag('limit', 'How many to show (default 50)', {
  type: 'integer',
  min: 1,
  max: 100_000,
  value: '<number>',
});
const ALL = commandFlag('all', 'Show all; with --json, one row per line', { type: 'boolean' });

/** The command that calls an operation. */
export function operationCommand(
  document: Document,
  route: string,
  operation: Operation,
  naming: Naming,
): Command {
  const words = naming.words.split(' ');
  const answers = answerOf(operation);
  const args = [...pathArguments(route), ...(naming.args ?? [])];
  let known: readonly Flag[] | undefined;
  // When they are first asked for: a line runs one command of more than a hundred.
  const readFlags = () => {
    known ??= flagsOf(document, operation, answers, /^(PATCH|PUT) /.test(route));
    return known;
  };
  const call: Call = {
    route,
    operation,
    get flags() {
      return readFlags();
    },
    hasBody: operation.requestBody !== undefined,
    takesKey: operation['x-callers'].includes('apiKey'),
    answers,
    isGrave: isGrave(words),
    graveIf: naming.graveIf ?? {},
  };
  return {
    words,
    also: (naming.also ?? []).map((line) => line.split(' ')),
    summary: operation.summary,
    description: [operation.description, sayNeeds(operation)].filter(Boolean).join('\n\n'),
    get example() {
      return exampleOf(operation, readFlags(), args);
    },
    get flags() {
      return readFlags();
    },
    args,
    isGrave: call.isGrave || naming.graveIf !== undefined,
    answers,
    run: (context, values) => callOperation(context, call, values),
  };
}

/** The credential that the command needs. */
function sayNeeds({ 'x-callers': callers, 'x-permissions': permissions }: Operation): string {
  if (callers.includes('apiKey')) {
    return permissions.length === 0 ? '' : `Needs a key with ${permissions.join(' and ')}.`;
  }
  return callers.includes('operator') ? 'Needs the admin token.' : '';
}

function flagsOf(
  document: Document,
  operation: Operation,
  answers: Command['answers'],
  isChange: boolean,
): Flag[] {
  const body = operation.requestBody?.content['application/json']?.schema;
  const isPaged = pagingOf(operation);
  const fields = [
    ...(operation.parameters ?? [])
      .filter(({ name }) => !(answers === 'list' && PAGING.has(name)))
      .map((parameter) => parameterFlag(document, parameter)),
    ...(body ? bodyFlags(document, body) : []),
  ];
  // A value in the path and again in the query or body is one flag.
  const once = fields.filter(
    (flag, index) => fields.findIndex(({ name }) => name === flag.name) === index,
  );
  const isBodied = once.some(({ place }) => place === 'body');
  return [
    ...once,
    ...(isChange && once.some(({ place, isNullable }) => place === 'body' && isNullable)
      ? [CLEAR]
      : []),
    ...(isBodied ? [DATA] : []),
    ...(answers === 'list' && isPaged ? [LIMIT, ALL] : []),
  ];
}

function pagingOf(operation: Operation): boolean {
  return (operation.parameters ?? []).some(({ name }) => PAGING.has(name) || name === 'after');
}

function answerOf(operation: Operation): Command['answers'] {
  const content = contentOf(operation);
  if (content['text/csv']) return 'csv';
  return listFieldOf(operation) === null ? 'record' : 'list';
}

/** The ids of the path, in their order. A project is an argument only if there is no other. */
function pathArguments(route: string): string[] {
  const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => pathFlagName(name));
  const own = names.filter((name) => !FOUND.has(name));
  return own.length > 0 ? own : names;
}

/** An example line, from the examples of the API. */
function exampleOf(operation: Operation, flags: readonly Flag[], args: readonly string[]): string {
  const body = operation.requestBody?.content['application/json']?.example;
  const answer = contentOf(operation)['application/json']?.example;
  const toText = (flag: Flag): string => {
    if (flag.isSecret) {
      return `env:${toKebab(flag.path.at(-1) ?? '')
        .replaceAll('-', '_')
        .toUpperCase()}`;
    }
    const given = flag.place === 'body' ? valueAt(body, flag.path) : idIn(answer, flag);
    if (flag.type === 'participant') return participantText(given);
    if (typeof given === 'object' && given !== null && flag.type !== 'json') {
      return quote((given as unknown[]).join(','));
    }
    if (given === undefined || given === null) return flag.words?.[0] ?? `<${flag.name}>`;
    return quote(typeof given === 'object' ? JSON.stringify(given) : String(given));
  };
  const isShown = (flag: Flag): boolean =>
    !FOUND.has(flag.name) &&
    flag.place !== 'command' &&
    (flag.isRequired || (valueAt(body, flag.path) ?? null) !== null);
  const first = args.flatMap((name) => flags.filter((flag) => flag.name === name && isShown(flag)));
  const rest = flags.filter((flag) => !args.includes(flag.name) && isShown(flag));
  return [...first.map(toText), ...rest.map((flag) => `--${flag.name} ${toText(flag)}`)].join(' ');
}

function valueAt(from: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (at as Record<string, unknown> | null | undefined)?.[name],
    from,
  );
}

/** An id of the path, from the example of the answer. */
function idIn(answer: unknown, { place, path: [name = ''] }: Flag): unknown {
  if (place !== 'path') return undefined;
  const inner = (['data', 'endpoint', 'event', 'delivery'] as const)
    .map((field) => valueAt(answer, [field]))
    .map((field) => (Array.isArray(field) ? field[0] : field));
  const things = [answer, ...inner];
  return things.map((thing) => valueAt(thing, [name]) ?? valueAt(thing, ['id'])).find(Boolean);
}

function participantText(given: unknown): string {
  const { kind, externalId } = (given ?? {}) as { kind?: string; externalId?: string };
  return quote(kind === 'group' ? `group:${externalId}` : (externalId ?? 'user-42'));
}

function quote(text: string): string {
  return /^[\w.,:/@+%…=-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
