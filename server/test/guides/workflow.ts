import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './blocks.ts';

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job extends Pick<Step, 'env'> {
  readonly steps: readonly Step[];
}

/** A GitHub workflow, as far as the documentation uses them. */
interface Workflow extends Pick<Step, 'env'> {
  readonly jobs: Readonly<Record<string, Job>>;
}

export interface Run {
  /** False if a step ended with an error: the rest of the job was not run. */
  readonly isGood: boolean;
  /** What `gh` was called with, and the comment that it was given. */
  readonly calls: string;
  readonly output: string;
}

/** Runs what `docker run` would run in the image, which contains the repository. */
const DOCKER = `while [ "$1" != "$IMAGE" ]; do shift; done; shift; cd "$ROOT"; exec "$@"`;
const GH = `echo "$@" >> "$FOLDER/calls"; cat comment.md >> "$FOLDER/calls"`;

/**
 * Runs the shell steps of a job as GitHub does: by `bash -e`, in a checkout, with the values of expressions. `docker` and
 * `gh` do here what they would do there.
 */
export async function runJob(
  { text, name, folder }: { readonly text: string; readonly name: string; readonly folder: string },
  values: Readonly<Record<string, string>>,
  overridden: Readonly<Record<string, string>>,
): Promise<Run> {
  const workflow: Workflow = parse(text);
  const job = workflow.jobs[name];
  if (!job) throw new Error(`The workflow has no job ${name}.`);
  const tools = join(folder, '.tools');
  mkdirSync(tools, { recursive: true });
  for (const [tool, script] of Object.entries({ docker: DOCKER, gh: GH })) {
    writeFileSync(join(tools, tool), `#!/bin/bash\n${script}\n`);
    chmodSync(join(tools, tool), 0o755);
  }
  const kept = { output: join(folder, '.output'), calls: join(folder, 'calls') };
  for (const path of Object.values(kept)) writeFileSync(path, '');
  const evaluate = (given: Step['env'] = {}) =>
    Object.fromEntries(
      Object.entries(given).map(([key, value]) => [key, fill(value, values)] as const),
    );
  const printed: string[] = [];
  let isGood = true;
  for (const step of job.steps) {
    if (step.run === undefined || !holds(step.if, readFileSync(kept.output, 'utf8'))) continue;
    const { code, output } = await runShell(step.run, folder, {
      ...evaluate(workflow.env),
      ...evaluate(job.env),
      ...evaluate(step.env),
      ...overridden,
      PATH: `${tools}:${process.env.PATH ?? ''}`,
      GITHUB_OUTPUT: kept.output,
      FOLDER: folder,
      ROOT,
    });
    printed.push(output);
    if (code !== 0) {
      isGood = false;
      break;
    }
  }
  return { isGood, calls: readFileSync(kept.calls, 'utf8'), output: printed.join('') };
}

const EXPRESSION = /\$\{\{ *([\w.]+) *\}\}/g;

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return String(text).replace(EXPRESSION, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`Nothing is known of ${name}.`);
    return value;
  });
}

const IS_OUTPUT = /^steps\.\w+\.outputs\.(\w+) == '(.*)'$/;

function holds(condition: string | undefined, outputs: string): boolean {
  if (condition === undefined) return true;
  const [, name, value] = IS_OUTPUT.exec(condition) ?? [];
  if (name === undefined) throw new Error(`This condition is not understood: ${condition}`);
  return outputs.split('\n').includes(`${name}=${value}`);
}

function runShell(script: string, cwd: string, env: Readonly<Record<string, string>>) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    execFile('bash', ['-e', '-c', script], { cwd, env }, (error, stdout, stderr) => {
      resolve({ code: error ? 1 : 0, output: stdout + stderr });
    });
  });
}
