import type { ProjectWrite } from '../../../platform/feed/writer/project-write.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { findProgram } from '../../programs/find-program.ts';
import { findTombstones } from '../store.ts';
import { decideOffer, type NameHolder, type NameOffer, type NameWish } from './decide-offer.ts';
import { findFreeCode } from './find-free-name.ts';
import { findSharedName } from './sharing-store.ts';
import { tombstoneOf } from './tombstone.ts';

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
