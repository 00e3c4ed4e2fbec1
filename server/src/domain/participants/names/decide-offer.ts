import { isOver, type ProgramStatus } from '../../programs/program-status.ts';

/** What a name stands for. */
export interface NameHolder {
  readonly refCodeId: string;
  /** Null when the name is the code itself. */
  readonly linkId: string | null;
  readonly participantId: string;
  /** Of the Program that it is shared in. */
  readonly programStatus: ProgramStatus;
}

export interface NameWish {
  readonly name: string;
  readonly kind: 'code' | 'link';
  /** Null for who is not there yet. */
  readonly participantId: string | null;
}

/** A name that somebody can have. */
export interface NameOffer {
  readonly name: string;
  /** What it stands for until they have it; null if it is free. */
  readonly moved: NameHolder | null;
}

/**
 * Null if it is taken: by anybody else, in a Program that is not over, or as a slug where a code is
 * wished for and the other way round. A buried name is one of somebody who was erased.
 */
export function decideOffer(
  { name, kind, participantId }: NameWish,
  holder: NameHolder | null,
  isBuried: boolean,
): NameOffer | null {
  if (holder === null) return isBuried ? null : { name, moved: null };
  const isSameKind = (holder.linkId === null) === (kind === 'code');
  const isOwn = holder.participantId === participantId;
  return isOwn && isSameKind && isOver(holder.programStatus) ? { name, moved: holder } : null;
}
