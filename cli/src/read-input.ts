import { readFile } from 'node:fs/promises';
import { CliError, EXIT } from './cli-error.ts';
import type { Flag } from './flag.ts';
import type { Io } from './output/io.ts';

type Body = Record<string, unknown>;

/** The body given by `--data`: JSON itself, `@file`, or `-` for standard input. */
export async function readData(io: Io, given: unknown, flags: readonly Flag[]): Promise<Body> {
  if (given === undefined) return {};
  const from = String(given);
  const body = parseBody(await readFrom(io, '--data', from));
  if (body === null) throw new CliError('--data must be a JSON object.', EXIT.usage);
  if (isOnLine(from)) refuseSecrets(body, flags);
  return body;
}

function parseBody(text: string): Body | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && !Array.isArray(body)
      ? (body as Body)
      : null;
  } catch {
    return null;
  }
}

function refuseSecrets(body: Body, flags: readonly Flag[]): void {
  for (const { path, isSecret } of flags) {
    const value = path.reduce<unknown>((at, name) => (at as Body | null | undefined)?.[name], body);
    if (!isSecret || value === undefined || value === null) continue;
    throw new CliError(
      `--data has ${path.join('.')}, which ${READABLE} Give --data @file, or --data - for standard input.`,
      EXIT.usage,
    );
  }
}

const READABLE = 'is a secret, and other users of this machine can read command lines.';

const isOnLine = (from: string): boolean => from !== '-' && !from.startsWith('@');

/**
 * Reads a secret from a file, a setting or standard input; never from the command line, which
 * others can read.
 */
export async function readSecret(
  io: Io,
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  from: string,
): Promise<string> {
  const setting = /^env:(.+)$/.exec(from)?.[1];
  if (setting !== undefined) {
    const value = env[setting]?.trim();
    if (value) return value;
    throw new CliError(`--${name}: ${setting} is not set.`, EXIT.usage);
  }
  if (!isOnLine(from)) return (await readFrom(io, `--${name}`, from)).trim();
  throw new CliError(
    `--${name} ${READABLE} Give @file, env:NAME, or - for standard input.`,
    EXIT.usage,
  );
}

/** The text itself, that of `@file`, or for `-` that of standard input. */
export async function readFrom(io: Io, name: string, from: string): Promise<string> {
  if (from === '-') return io.readInput();
  if (isOnLine(from)) return from;
  const path = from.slice(1);
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${name}: ${path} cannot be read (${error.code}).`, EXIT.usage);
  });
}
