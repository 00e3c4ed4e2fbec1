import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError } from './cli-error.ts';
import type { Settings } from './settings.ts';

/** The credential, in the form that the SDK takes. */
type Credential = { readonly apiKey: string } | { readonly adminToken: string };

/** Finds it for a call that an API key may make, or only the operator. */
export type FindCredential = (takesKey: boolean) => Promise<Credential>;

/**
 * The operator's token if it is set, else the API key if it is sufficient, else the token in the
 * data folder.
 */
export function createFindCredential(config: Settings): FindCredential {
  return async (takesKey) => {
    if (config.adminToken === null && takesKey && config.apiKey !== null) {
      return { apiKey: config.apiKey };
    }
    return { adminToken: config.adminToken ?? (await readToken(config)) };
  };
}

async function readToken({ dataDir, apiKey }: Settings): Promise<string> {
  const path = join(dataDir, 'admin-token');
  let token: string;
  try {
    token = (await readFile(path, 'utf8')).trim();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOENT') {
      throw new CliError(
        `The admin token at ${path} cannot be read (${code}). Run this as the user that runs the service, or set ADMIN_TOKEN.`,
      );
    }
    const why = apiKey === null ? '' : 'An API key cannot do this; it needs the operator’s token. ';
    throw new CliError(
      `${why}There is no admin token at ${path}.\nStart the service with: npm start\nIf it runs with another data folder, set DATA_DIR to it; if it runs elsewhere, set ADMIN_TOKEN and GOODWORD_URL.`,
    );
  }
  // It is sent in a header.
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new CliError(
    `The admin token at ${path} is damaged. Restore the file, or set ADMIN_TOKEN.`,
  );
}
