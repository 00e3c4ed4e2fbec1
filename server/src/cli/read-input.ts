import { readFile } from 'node:fs/promises';
import { CliError, EXIT } from './cli-error.ts';
import type { Io } from './io.ts';

/** The body that `--data` stands for: JSON itself, `@file`, or `-` for standard input. */
export async function readData(io: Io, given: unknown): Promise<Record<string, unknown>> {
  if (given === undefined) return {};
  const text = await readFrom(io, '--data', String(given));
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
      return body as Record<string, unknown>;
    }
  } catch {}
  throw new CliError('--data must be a JSON object.', EXIT.usage);
}

/** A secret from a file, a setting or standard input; never from the line, which others can read. */
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
  if (from === '-' || from.startsWith('@')) return (await readFrom(io, `--${name}`, from)).trim();
  throw new CliError(
    `--${name} is a secret, and other users of this machine can read command lines. Give @file, env:NAME, or - for standard input.`,
    EXIT.usage,
  );
}

async function readFrom(io: Io, name: string, from: string): Promise<string> {
  if (from === '-') return io.readInput();
  if (!from.startsWith('@')) return from;
  const path = from.slice(1);
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${name}: ${path} cannot be read (${error.code}).`, EXIT.usage);
  });
}
