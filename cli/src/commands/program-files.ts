import { writeFile } from 'node:fs/promises';
import type { AnswerOf } from '@goodword/sdk';
import { CliError } from '../cli-error.ts';
import { type Context, confirm, findProject } from '../context.ts';
import { toVisible } from '../output/layout.ts';
import type { Values } from '../output/values.ts';
import { readFrom } from '../read-input.ts';

type Plan = AnswerOf<'POST /v1/program-plans'>['data'];
type Change = Plan['changes'][number];

/** `plan` exits with it if a file and its program differ. */
const HAS_CHANGES = 2;

export async function runExport(context: Context, values: Values): Promise<undefined> {
  const { client, io } = context;
  const projectId = await findProject(context, values);
  const programId = await findProgramId(context, projectId, String(values.id));
  const answer = await client.call({
    operation: 'GET /v1/programs/{programId}/definition',
    path: { programId },
    query: { projectId },
    takesKey: true,
  });
  const text = context.asJson ? `${JSON.stringify(answer, null, 2)}\n` : answer.file;
  if (values.out === undefined) return void (await io.out(text));
  const path = String(values.out);
  await writeFile(path, text).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`--out: ${path} cannot be written (${error.code}).`);
  });
  io.err(`Wrote ${path}.\n`);
}

export async function runPlan(context: Context, values: Values): Promise<number | undefined> {
  const { plan, answer } = await makePlan(context, values);
  await context.io.out(context.asJson ? toJson(answer) : describePlan(plan, context.io.hasColour));
  return plan.isEmpty ? undefined : HAS_CHANGES;
}

export async function runApply(context: Context, values: Values): Promise<undefined> {
  const { client, io, asJson } = context;
  const { projectId, plan, answer } = await makePlan(context, values);
  if (plan.isEmpty) {
    await io.out(asJson ? toJson(answer) : describePlan(plan, io.hasColour));
    return;
  }
  if (asJson) io.err(describePlan(plan, false));
  else await io.out(describePlan(plan, io.hasColour));
  await confirm(context, 'This changes the program.');
  const done = await client.call({
    operation: 'POST /v1/program-plans/{planId}/apply',
    path: { planId: plan.planId },
    body: { projectId },
    takesKey: true,
  });
  const { programId } = done.data;
  const next =
    plan.programId === null
      ? ` Activate it with: ${context.call} programs set-status ${programId} active`
      : '';
  await io.out(asJson ? toJson(done) : `Done. The program is ${programId}.${next}\n`);
}

async function makePlan(context: Context, values: Values) {
  const { client, io } = context;
  const definition = await readFrom(io, '--file', filePath(values));
  const projectId = await findProject(context, values);
  const programId =
    values.program === undefined
      ? undefined
      : await findProgramId(context, projectId, String(values.program));
  const answer = await client.call({
    operation: 'POST /v1/program-plans',
    body: {
      projectId,
      definition,
      prune: values.prune === true,
      ...(programId === undefined ? {} : { programId }),
    },
    takesKey: true,
  });
  return { projectId, answer, plan: answer.data };
}

/** What `readFrom` reads: a file begins with @. */
function filePath({ file }: Values): string {
  const path = String(file);
  return path === '-' ? path : `@${path}`;
}

async function findProgramId(
  { client }: Context,
  projectId: string,
  named: string,
): Promise<string> {
  if (named.startsWith('prg_')) return named;
  const { data } = await client.call({
    operation: 'GET /v1/programs',
    query: { projectId },
    takesKey: true,
  });
  const found = data.find(({ key }) => key === named);
  if (found) return found.id;
  const keys = data.map(({ key }) => key).join(', ') || 'none';
  throw new CliError(`There is no program with the key ${named}. Keys: ${keys}.`);
}

const SIGNS = { create: '+', publish: '~', change: '~', end: '-', none: ' ' } as const;
const COLOURS = { create: 32, publish: 33, change: 33, end: 31, none: 2 } as const;

/** The changes as sentences, one a line, and how many there are. */
export function describePlan({ changes, isEmpty }: Plan, hasColour: boolean): string {
  const line = ({ action, sentence }: Change) => {
    const text = `${SIGNS[action]} ${toVisible(sentence)}`;
    return hasColour ? `\u001b[${COLOURS[action]}m${text}\u001b[0m` : text;
  };
  const lines = changes.map((change) => `${line(change)}\n`).join('');
  const count = changes.filter(({ action }) => action !== 'none').length;
  const total = isEmpty ? 'Nothing to do.' : `${count} ${count === 1 ? 'change' : 'changes'}.`;
  return `${lines}${lines && '\n'}${total}\n`;
}

const toJson = (answer: object): string => `${JSON.stringify(answer, null, 2)}\n`;
