import { randomInt } from 'node:crypto';
import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { findProgram } from '../../programs/queries.ts';
import { findTombstones } from '../store.ts';
import { decideOffer, type NameHolder, type NameOffer, type NameWish } from './decide-offer.ts';
import { tombstoneOf } from './names.ts';
import { findNames, findSharedName } from './queries.ts';

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

/** Digits that can be read as letters. The alphabet of codes has no i, l, o, 0 and 1. */
const READ_AS: Readonly<Record<string, string>> = {
  2: 'z',
  3: 'e',
  4: 'a',
  5: 's',
  6: 'g',
  7: 't',
  8: 'b',
  9: 'g',
};

export const OFFENSIVE_WORDS = [
  'anus',
  'arse',
  'ass',
  'cum',
  'cunt',
  'damn',
  'fag',
  'fap',
  'fuc',
  'fuk',
  'gay',
  'hate',
  'jew',
  'kkk',
  'kys',
  'nazy',
  'neger',
  'nude',
  'perv',
  'puta',
  'pute',
  'rape',
  'scum',
  'sex',
  'spaz',
  'suck',
  'tard',
  'terd',
  'turd',
  'twat',
  'wank',
  'xxx',
] as const;

/** Whether a random code spells an offensive word, also with digits read as letters. */
export function isOffensive(code: string): boolean {
  const read = code.replace(/[2-9]/g, (digit) => READ_AS[digit] ?? digit);
  return OFFENSIVE_WORDS.some((word) => code.includes(word) || read.includes(word));
}

/** The name if it is free or can be moved from the participant's own Program; null if it is taken. */
export async function offerName(
  write: ProjectWrite,
  keyring: Keyring,
  wish: NameWish,
): Promise<NameOffer | null> {
  const stone = tombstoneOf(keyring, write.projectId, 'name', wish.name);
  const [holder, buried] = await Promise.all([
    loadHolder(write, wish.name),
    findTombstones(write.tx, write.projectId, [stone]),
  ]);
  return decideOffer(wish, holder, buried.size > 0);
}

export interface CodeWish {
  readonly participantId: string | null;
  readonly asked: string | null;
  readonly hasCode: boolean;
}

/** The name for a new code: the requested one, or any; null if it is taken or none is needed. */
export async function offerCode(
  write: ProjectWrite,
  keyring: Keyring,
  { participantId, asked, hasCode }: CodeWish,
): Promise<NameOffer | null> {
  if (asked !== null)
    return offerName(write, keyring, { name: asked, kind: 'code', participantId });
  return hasCode ? null : { name: await findFreeCode(write, keyring), moved: null };
}

async function loadHolder(
  { tx, projectId, now }: ProjectWrite,
  name: string,
): Promise<NameHolder | null> {
  const shared = await findSharedName(tx, projectId, name);
  if (!shared) return null;
  const { refCodeId, linkId, participantId, programId } = shared;
  const program = await findProgram(tx, projectId, programId, now);
  if (!program) throw new Error(`Code ${refCodeId} belongs to no program.`);
  return { refCodeId, linkId, participantId, programStatus: program.status };
}
