import { randomInt } from 'node:crypto';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { findTombstones } from '../store.ts';
import { isOffensive } from './is-offensive.ts';
import { findNames } from './sharing-store.ts';
import { tombstoneOf } from './tombstone.ts';

/** Without characters that look alike. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const CODE_LENGTH = 8;
/** The first is nearly always free: there are 31 to the 8th. */
const TRIES = 4;

/**
 * The first of these names that no code or link has, or ever had: reusing an erased participant's
 * name would redirect visits of the links they had shared.
 */
export async function findFreeName(
  write: ProjectWrite,
  keyring: Keyring,
  names: readonly string[],
): Promise<string | null> {
  const stones = names.map((name) => tombstoneOf(keyring, write.projectId, 'name', name));
  const [taken, buried] = await Promise.all([
    findNames(write.tx, write.projectId, names),
    findTombstones(write.tx, write.projectId, stones),
  ]);
  const free = names.find(
    (name, index) => !taken.has(name) && !buried.has(stones[index]?.hash ?? ''),
  );
  return free ?? null;
}

export async function findFreeCode(write: ProjectWrite, keyring: Keyring): Promise<string> {
  const free = await findFreeName(write, keyring, Array.from({ length: TRIES }, makeCode));
  if (free === null) throw new Error(`${TRIES} random codes were all taken.`);
  return free;
}

export function makeCode(): string {
  const code = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
  const text = code.join('');
  return isOffensive(text) ? makeCode() : text;
}
