import { type CursorScope, openNumber, sealNumber } from '../../platform/feed/sealed-number.ts';
import { invalid } from '../../platform/kit/errors.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';

/** Whose list it is: a cursor of one is none of another. */
export interface ListOwner {
  readonly projectId: string;
  readonly programId: string;
  readonly participantId: string;
}

const scopeOf = ({ projectId, programId, participantId }: ListOwner): CursorScope => ({
  purpose: 'widget-cursor',
  owner: [projectId, programId, participantId],
});

/** The number of the last Reward of a page: the next page continues below it. */
export function makeRewardsCursor(keyring: Keyring, owner: ListOwner, number: number): string {
  return sealNumber(keyring, scopeOf(owner), number);
}

/** Fails with INVALID_REQUEST for a cursor that was not created here for this list. */
export function readRewardsCursor(keyring: Keyring, owner: ListOwner, cursor: string): number {
  const number = openNumber(keyring, scopeOf(owner), cursor);
  if (number === undefined) throw invalid('cursor', 'is not a cursor of this list');
  return number;
}
