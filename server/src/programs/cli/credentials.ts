import { readFile } from 'node:fs/promises';
import type { CliConfig } from '../../platform/config/config.ts';
import { adminTokenPath } from '../../platform/config/secret-files.ts';
import { CliError } from './cli-error.ts';

/** The header to speak with, for a call that an API key may make or only the operator. */
export type FindCredential = (takesKey: boolean) => Promise<Readonly<Record<string, string>>>;

/** The operator's token if it is set, else the API key where one will do, else the token of the data folder. */
export function createFindCredential(config: CliConfig): FindCredential {
  return async (takesKey) => {
    if (config.adminToken === null && takesKey && config.apiKey !== null) {
      return { 'x-api-key': config.apiKey };
    }
    return { authorization: `Bearer ${config.adminToken ?? (await readToken(config))}` };
  };
}

async function readToken({ dataDir, apiKey }: CliConfig): Promise<string> {
  const path = adminTokenPath(dataDir);
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOENT') {
      throw new CliError(
        `The admin token at ${path} cannot be read (${code}). Run this as the user that runs the service, or set ADMIN_TOKEN.`,
      );
    }
    const why = apiKey === null ? '' : 'An API key cannot do this: it takes the operator’s token. ';
    throw new CliError(
      `${why}There is no admin token at ${path}.\nStart the service with: npm start\nIf it runs with another data folder, set DATA_DIR to it; if it runs elsewhere, set ADMIN_TOKEN and GOODWORD_URL.`,
    );
  }
}
