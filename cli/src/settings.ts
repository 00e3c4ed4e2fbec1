import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliError } from './cli-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings that the command line reads from the environment; docs/cli.md describes them. */
export interface Settings {
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly adminToken: string | null;
  readonly apiKey: string | null;
  /** The defaults for calls that name no others. */
  readonly projectId: string | null;
  readonly workspaceId: string | null;
}

/** The service's default port. */
const PORT = 8080;
const PORT_MAX = 65_535;

/** The address of the service and the credentials. All faults are reported at once. */
export function readSettings(env: Environment): Settings {
  const faults: string[] = [];
  const port = readPort(env, faults);
  const baseUrl = readUrl(env, 'GOODWORD_URL', faults) ?? readUrl(env, 'BASE_URL', faults);
  if (baseUrl === null && port === 0) {
    faults.push(
      'PORT is 0, which means any free port. Set GOODWORD_URL to the address of the service.',
    );
  }
  const settings = {
    baseUrl: baseUrl ?? `http://127.0.0.1:${port}`,
    dataDir: resolve(readText(env, 'DATA_DIR') ?? './data'),
    adminToken: readSecret(env, 'ADMIN_TOKEN', faults),
    apiKey: readSecret(env, 'GOODWORD_KEY', faults),
    projectId: readText(env, 'GOODWORD_PROJECT'),
    workspaceId: readText(env, 'GOODWORD_WORKSPACE'),
  };
  for (const [name, value] of [
    ['ADMIN_TOKEN', settings.adminToken],
    ['GOODWORD_KEY', settings.apiKey],
  ] as const) {
    // It is sent in a header.
    if (value !== null && /[^\x21-\x7e]/.test(value)) {
      faults.push(`${name} has white space or characters that are not allowed.`);
    }
  }
  if (faults.length > 0) throw new CliError(faults.join('\n'));
  return settings;
}

/** An empty setting counts as not set. */
function readText(env: Environment, name: string): string | null {
  return env[name]?.trim() || null;
}

function readPort(env: Environment, faults: string[]): number {
  const text = readText(env, 'PORT');
  if (text === null) return PORT;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= PORT_MAX) return port;
  faults.push(`PORT must be a whole number from 0 to ${PORT_MAX}, not "${text}".`);
  return PORT;
}

function readUrl(env: Environment, name: string, faults: string[]): string | null {
  const text = readText(env, name);
  if (text === null) return null;
  const url = parseUrl(text);
  const isPlain = url && !url.search && !url.hash && !url.username && !url.password;
  if (isPlain && (url.protocol === 'https:' || url.protocol === 'http:')) {
    return text.replace(/\/+$/, '');
  }
  faults.push(`${name} must be an address such as https://refer.example.com, not "${text}".`);
  return null;
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** From the setting, or from the file that `…_FILE` names, as in the service. */
function readSecret(env: Environment, name: string, faults: string[]): string | null {
  const text = readText(env, name);
  const path = readText(env, `${name}_FILE`);
  if (path === null) return text;
  if (text !== null) faults.push(`${name} and ${name}_FILE are both set. Set only one of them.`);
  try {
    return readFileSync(path, 'utf8').trim() || null;
  } catch (error) {
    faults.push(`${name}_FILE cannot be read (${(error as NodeJS.ErrnoException).code}).`);
    return null;
  }
}
