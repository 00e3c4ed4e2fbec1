import { readFile } from 'node:fs/promises';
import { type CliConfig, ConfigError, type Environment, readCliConfig } from '../config.ts';
import { adminTokenPath } from '../secret-files.ts';
import { CliError, createClient } from './client.ts';
import { COMMANDS } from './commands.ts';
import { parseCommand } from './parse-command.ts';

/** What the process is to print and end with. */
interface Ending {
  readonly exitCode: 0 | 1 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line. 0: done; 1: the service, the settings or the command refused; 2: not understood. */
export async function run(args: readonly string[], env: Environment): Promise<Ending> {
  const parsed = parseCommand(COMMANDS, args);
  if (parsed.kind === 'help') return { exitCode: 0, stdout: parsed.text, stderr: '' };
  if (parsed.kind === 'mistake') return { exitCode: 2, stdout: '', stderr: parsed.text };
  try {
    const config = readCliConfig(env);
    const client = createClient(config.baseUrl, await findAdminToken(config));
    const output = await parsed.command.run(client, parsed.values);
    const stdout = parsed.asJson ? `${JSON.stringify(output.json, null, 2)}\n` : output.text;
    return { exitCode: 0, stdout, stderr: '' };
  } catch (error) {
    if (!(error instanceof CliError || error instanceof ConfigError)) throw error;
    return { exitCode: 1, stdout: '', stderr: `${error.message}\n` };
  }
}

async function findAdminToken(config: CliConfig): Promise<string> {
  if (config.adminToken !== null) return config.adminToken;
  const path = adminTokenPath(config.dataDir);
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new CliError(
      code === 'ENOENT'
        ? `There is no admin token at ${path}.\nStart the service with: npm start\nIf it runs with another data folder, set DATA_DIR to it; if it runs elsewhere, set ADMIN_TOKEN and BASE_URL.`
        : `The admin token at ${path} cannot be read (${code}). Run this as the user that runs the service, or set ADMIN_TOKEN.`,
    );
  }
}
