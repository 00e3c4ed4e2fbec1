import { CliError, EXIT } from '../cli-error.ts';
import type { Flag, Value } from '../flag.ts';
import type { Values } from '../output/values.ts';
import type { Call } from './call.ts';
import type { Request } from './client.ts';

type Json = Record<string, unknown>;

/** Builds the request from the values of a command line. `data` is the initial body. */
export function buildRequest(call: Call, values: Values, data: Json): Request {
  const query: Record<string, string> = {};
  const headers: Record<string, string> = {};
  const body = structuredClone(data);
  const path: Record<string, string> = {};
  for (const flag of call.flags) {
    const value = values[flag.name];
    if (value === undefined) continue;
    const [name = ''] = flag.path;
    if (flag.place === 'path') path[name] = String(value);
    if (flag.place === 'query') query[name] = String(value);
    if (flag.place === 'header') headers[name] = String(value);
    if (flag.place === 'body') put(body, flag.path, value);
  }
  for (const field of clearedFields(call.flags, values)) put(body, field.path, null);
  if (call.route.startsWith('PATCH ') && isEmptyChange(call.flags, body)) {
    throw new CliError(`Say what to change: ${changeable(call.flags).join(', ')}.`, EXIT.usage);
  }
  return {
    operation: call.route,
    path,
    query,
    headers,
    takesKey: call.takesKey,
    ...(call.hasBody ? { body } : {}),
  };
}

function put(body: Json, path: readonly string[], value: Value): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    body[name] = value;
    return;
  }
  const inner = body[name];
  body[name] = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : {};
  put(body[name] as Json, rest, value);
}

function clearedFields(flags: readonly Flag[], values: Values): Flag[] {
  const names = (values.clear ?? []) as readonly string[];
  const clearable = flags.filter(({ place, isNullable }) => place === 'body' && isNullable);
  return names.map((name) => {
    const flag = clearable.find((one) => one.name === name || one.also.includes(name));
    if (flag) return flag;
    const all = clearable.map((one) => one.name).join(', ');
    throw new CliError(`--clear cannot clear "${name}". It can clear: ${all}.`, EXIT.usage);
  });
}

const changeable = (flags: readonly Flag[]): string[] =>
  flags
    .filter(({ place, isRequired }) => place === 'body' && !isRequired)
    .map(({ name }) => `--${name}`);

/** A change without any field would be accepted and change nothing. */
function isEmptyChange(flags: readonly Flag[], body: Json): boolean {
  const needed = flags.filter(({ place, isRequired }) => place === 'body' && isRequired);
  const isAllOptional = needed.every(({ name }) => name === 'project');
  return isAllOptional && Object.keys(body).every((name) => name === 'projectId');
}
