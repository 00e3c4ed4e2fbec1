import { type Figure, figure } from '../figures/tally.ts';
import type { Referral } from './event-schema.ts';
import type { TrackedEvent } from './slice.ts';

const NAMES: Readonly<Record<string, string>> = { signup: 'signups', purchase: 'purchases' };

/**
 * What a decided Event counts for: the day's figures of the Program that it was credited to.
 * A recount gives how many there are alike.
 */
export function eventFiguresOf(
  event: Pick<TrackedEvent, 'programId' | 'type' | 'receivedAt'>,
  howMany: bigint = 1n,
): Figure[] {
  const { programId, type } = event;
  if (programId === null) return [];
  const day = event.receivedAt.slice(0, 10);
  const name = NAMES[type];
  return [
    figure(programId, `${day}:events`, howMany),
    ...(name === undefined ? [] : [figure(programId, `${day}:${name}`, howMany)]),
  ];
}

export function referralFiguresOf(
  referral: Pick<Referral, 'programId' | 'referrerParticipantId' | 'selectedAt'>,
  howMany: bigint = 1n,
): Figure[] {
  const { programId, referrerParticipantId, selectedAt } = referral;
  return [
    figure(referrerParticipantId, `${programId}:referrals`, howMany),
    figure(programId, `${selectedAt.slice(0, 10)}:referrals`, howMany),
  ];
}
