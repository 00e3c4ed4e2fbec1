import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createKeyring } from '../../platform/kit/keyring.ts';

/** The store's files in a backup, and the list of them. */
export const STORE_IN_BACKUP = 'postgres';
const MANIFEST = 'backup.json';
const FORMAT = 1;

export interface Manifest {
  readonly format: typeof FORMAT;
  readonly takenAt: string;
  /** The version of the program that took it. */
  readonly version: string;
  /**
   * Shows whether a root key is the one that the store's secrets are sealed with, without revealing
   * it.
   */
  readonly keyCheck: string;
  /** SHA-256 of every file, by its path in the store. */
  readonly files: Readonly<Record<string, string>>;
}

export function checkOf(rootKey: Uint8Array): string {
  return createKeyring(rootKey).hmac('backup-check', 'root key').toString('base64url');
}

export async function writeManifest(
  folder: string,
  facts: Pick<Manifest, 'takenAt' | 'version' | 'keyCheck'>,
): Promise<Manifest> {
  const manifest: Manifest = { format: FORMAT, ...facts, files: await hashFiles(folder) };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeFile(join(folder, MANIFEST), text, { mode: 0o600, flush: true });
  return manifest;
}

/** Throws what is wrong with a backup: an incomplete one is invalid. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  if (text === null) throw new Error(`${folder} is not a backup: it has no ${MANIFEST}.`);
  const manifest = parseManifest(text);
  if (!manifest) throw new Error(`The backup is damaged: its ${MANIFEST} cannot be read.`);
  if (manifest.format !== FORMAT) {
    throw new Error(`This backup was taken by a newer Goodword (${manifest.version}).`);
  }
  const found = await hashFiles(folder);
  const names = new Set([...Object.keys(found), ...Object.keys(manifest.files)]);
  const differing = [...names].filter((name) => found[name] !== manifest.files[name]).sort();
  if (differing.length > 0) {
    throw new Error(
      `The backup is damaged: ${differing.length} of its files ${differing.length === 1 ? 'was' : 'were'} changed after it was taken, such as ${differing[0]}.`,
    );
  }
  return manifest;
}

/** Null for an incomplete manifest. For another format only the format is known. */
function parseManifest(text: string): Manifest | null {
  try {
    const manifest = JSON.parse(text) as Partial<Manifest> | null;
    return typeof manifest?.format === 'number' ? (manifest as Manifest) : null;
  } catch {
    return null;
  }
}

async function hashFiles(folder: string): Promise<Record<string, string>> {
  const store = join(folder, STORE_IN_BACKUP);
  const entries = await readdir(store, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const hashes: Record<string, string> = {};
  for (const path of paths.sort()) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    hashes[relative(store, path)] = hash.digest('hex');
  }
  return hashes;
}
