import type { ListPage } from '@goodword/sdk';
import { CliError, EXIT } from '../cli-error.ts';
import { type Context, confirm, findProject, findWorkspace } from '../context.ts';
import { addNames } from '../output/add-names.ts';
import { listFieldOf } from '../output/list-field.ts';
import { describeAnswer, describeRows, itemName } from '../output/present.ts';
import type { Values } from '../output/values.ts';
import { readData, readSecret } from '../read-input.ts';
import type { Call } from './call.ts';
import type { Request } from './client.ts';
import { findNames, projectOf } from './find-names.ts';
import { buildRequest } from './request.ts';

const DEFAULT_ROWS = 50;

/** Makes the call of a command and prints the answer. */
export async function callOperation(
  context: Context,
  call: Call,
  given: Values,
): Promise<undefined> {
  const data = await readData(context.io, given.data, call.flags);
  const values = { ...given, ...(await readSecrets(context, call, given)) };
  const request = buildRequest(
    call,
    { ...values, ...(await findPlaces(context, call, values, data)) },
    data,
  );
  const grave = graveValuesOf(call, request);
  if (call.isGrave || grave.length > 0) {
    const what = [subjectOf(request), ...grave].join(' ');
    await confirm(context, `${call.operation.summary}: ${what}.`);
  }
  if (call.answers === 'csv') {
    for await (const piece of context.client.table(request)) await context.io.out(piece);
    return;
  }
  if (call.answers === 'list') return printList(context, call, request, values);
  const answer = await context.client.send(request);
  if (context.asJson) {
    await context.io.out(`${JSON.stringify(answer, null, 2)}\n`);
    return;
  }
  const names = await findNames(context, projectOf(request), answer);
  await context.io.out(describeAnswer(addNames(answer, names), context.io));
}

/**
 * Finds the project and the workspace if the call needs them and the command line does not name
 * them.
 */
async function findPlaces(
  context: Context,
  call: Call,
  values: Values,
  data: Record<string, unknown>,
): Promise<Values> {
  const places: Record<string, string> = {};
  for (const flag of call.flags) {
    if (!flag.isRequired || values[flag.name] !== undefined) continue;
    if (flag.place === 'body' && data[flag.path[0] ?? ''] !== undefined) continue;
    if (flag.name === 'project') places.project = await findProject(context, values);
    if (flag.name === 'workspace') places.workspace = await findWorkspace(context, values);
  }
  return places;
}

async function readSecrets(context: Context, call: Call, given: Values): Promise<Values> {
  const secrets: Record<string, string> = {};
  for (const { name, isSecret } of call.flags) {
    const from = given[name];
    if (isSecret && from !== undefined) {
      secrets[name] = await readSecret(context.io, context.env, name, String(from));
    }
  }
  return secrets;
}

/** The values for which a command needs confirmation, wherever they came from. */
function graveValuesOf({ graveIf }: Call, { body }: Request): string[] {
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(graveIf).flatMap(([name, values]) =>
    values.filter((value) => value === fields[name]),
  );
}

/** The object of the call: the ids in its path. */
function subjectOf({ operation, path = {} }: Request): string {
  const [, template = ''] = operation.split(' ');
  const address = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  );
  const ids = Object.values(path).filter((id) => id.includes('_'));
  return ids.length > 0 ? ids.join(' ') : address;
}

async function printList(
  context: Context,
  call: Call,
  request: Request,
  values: Values,
): Promise<undefined> {
  const { io, asJson, client } = context;
  const field = listFieldOf(call.operation) ?? 'data';
  const isAll = values.all === true;
  if (isAll && values.limit !== undefined) {
    throw new CliError('Give --limit or --all, not both.', EXIT.usage);
  }
  const isPaged = call.flags.some(({ name }) => name === 'all');
  const most = isAll || !isPaged ? Infinity : Number(values.limit ?? DEFAULT_ROWS);
  const rows: unknown[] = [];
  let last: ListPage | null = null;
  const limit = call.operation.parameters?.find(({ name }) => name === 'limit');
  const pageMax = limit?.schema.maximum;
  for await (const page of client.pages(request, { field, most, pageMax })) {
    last = page;
    // There may be very many rows, so they are printed page by page.
    if (isAll && asJson) await io.out(page.rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    else rows.push(...page.rows);
  }
  if (isAll && asJson) return;
  if (asJson) {
    await io.out(`${JSON.stringify({ ...last?.answer, [field]: rows }, null, 2)}\n`);
    return;
  }
  const more = last?.isMore ? 'There are more: use a higher --limit, or --all.\n' : '';
  const names = await findNames(context, projectOf(request), rows);
  await io.out(describeRows(addNames(rows, names), itemName(call.operation, field), io) + more);
  const totals = last?.answer.totals;
  if (Array.isArray(totals)) await io.out(`\nTotals\n${describeRows(totals, '', io)}`);
}
