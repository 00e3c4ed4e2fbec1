import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseInstant } from '../../kit/instant.ts';
import { syncFolder } from './folders.ts';

/** The generation of the store that this folder last had. */
const GENERATION = 'store-generation';
/** Left by `npm run restore` for the next start: when the backup was taken. */
const RESTORED = 'restored-from';

async function read(dataDir: string, name: string): Promise<string | null> {
  return readFile(join(dataDir, name), 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    },
  );
}

/** Either the old content or the new one survives a power cut. */
async function write(dataDir: string, name: string, text: string): Promise<void> {
  const unfinished = join(dataDir, `${name}.unfinished`);
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.writeFile(`${text}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, join(dataDir, name));
  await syncFolder(dataDir);
}

/** Null if there is none, or it cannot be read. */
export async function readGeneration(dataDir: string): Promise<number | null> {
  const text = await read(dataDir, GENERATION);
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

export function writeGeneration(dataDir: string, generation: number): Promise<void> {
  return write(dataDir, GENERATION, String(generation));
}

export function writeRestored(dataDir: string, takenAt: string): Promise<void> {
  return write(dataDir, RESTORED, takenAt);
}

/** When the backup was taken that the store was restored from; null if it was not. */
export async function readRestored(dataDir: string): Promise<string | null> {
  return parseInstant((await read(dataDir, RESTORED)) ?? '') ?? null;
}

export async function removeRestored(dataDir: string): Promise<void> {
  await rm(join(dataDir, RESTORED), { force: true });
  await syncFolder(dataDir);
}
