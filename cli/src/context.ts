import type { Client } from './calls/client.ts';
import { CliError, EXIT } from './cli-error.ts';
import type { Io } from './output/io.ts';
import type { Values } from './output/values.ts';
import type { Environment, Settings } from './settings.ts';

/** What a command works with. */
export interface Context {
  readonly config: Settings;
  readonly env: Environment;
  readonly io: Io;
  readonly client: Client;
  /** The name by which this program was called. */
  readonly call: string;
  readonly asJson: boolean;
  /** `--yes` was given. */
  readonly isConfirmed: boolean;
}

/** The project of the call: the one named, the one in the settings, or the only one. */
export function findProject(context: Context, values: Values): Promise<string> {
  return findOnly(context, values, 'project', context.config.projectId);
}

export function findWorkspace(context: Context, values: Values): Promise<string> {
  return findOnly(context, values, 'workspace', context.config.workspaceId);
}

async function findOnly(
  { client }: Context,
  values: Values,
  kind: 'project' | 'workspace',
  setting: string | null,
): Promise<string> {
  const named = values[kind] ?? setting;
  if (named !== null && named !== undefined) return String(named);
  const say = `Say which ${kind}: --${kind} <id>, or set GOODWORD_${kind.toUpperCase()}.`;
  const { data } = await client
    .call({ operation: `GET /v1/${kind}s`, query: { limit: 10 }, takesKey: false })
    .catch((error: unknown) => {
      if (!(error instanceof CliError) || error.exitCode === EXIT.unreachable) throw error;
      throw new CliError(say, EXIT.usage);
    });
  const [only] = data;
  if (only && data.length === 1) return only.id;
  if (!only) throw new CliError(`There is no ${kind} yet. Create one with: goodword init`);
  const names = data.map(({ id, name }) => `  ${id}  ${name}\n`).join('');
  throw new CliError(`${say} There are:\n${names}`.trimEnd(), EXIT.usage);
}

/** Asks for confirmation before an irreversible action. Without a terminal, `--yes` is required. */
export async function confirm(context: Context, sentence: string): Promise<void> {
  if (context.isConfirmed) return;
  const { io } = context;
  if (!io.canAsk) {
    throw new CliError(`${sentence} Add --yes to skip the confirmation.`, EXIT.usage);
  }
  const answer = await io.ask(`${sentence} Continue? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Nothing was done.');
}
