import { isOver, type ProgramStatus } from '../../programs/program-status.ts';

/** The code or link that a name points to. */
export interface NameHolder {
  readonly refCodeId: string;
  /** Null when the name is the code itself. */
  readonly linkId: string | null;
  readonly participantId: string;
  /** Status of the Program in which it is shared. */
  readonly programStatus: ProgramStatus;
}

export interface NameWish {
  readonly name: string;
  readonly kind: 'code' | 'link';
  /** Null for a participant that does not exist yet. */
  readonly participantId: string | null;
}

/** A name that is available to somebody. */
export interface NameOffer {
  readonly name: string;
  /** The code or link that has the name until then; null if the name is free. */
  readonly moved: NameHolder | null;
}

/**
 * Null if the name is taken: by anybody else, in a Program that is not over, or as a slug where a
 * code is requested and vice versa. A buried name belonged to somebody who was erased.
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
