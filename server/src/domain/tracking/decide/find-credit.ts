import { isSelfReferral } from '../../attribution/self-referral.ts';
import type { TrackedEvent, TrackSlice } from '../batch/slice.ts';
import type { Referral } from '../event-schema.ts';

/** Which referral a fact counts for. */
export interface Credit {
  readonly referral: Referral | null;
  /** Whether there is none because its referrer would be credited for themselves. */
  readonly isSelf: boolean;
}

type Parties = Pick<TrackedEvent, 'participantId' | 'actorParticipantId'>;
type Referred = Pick<TrackSlice, 'referrals' | 'creatorOf'>;

/**
 * The participant's own referral; for a group without one that of its actor, then that of its
 * creator (D-AM-2).
 */
export function findCredit(slice: Referred, event: Parties): Credit {
  const own = slice.referrals.get(event.participantId);
  if (own) return { referral: own, isSelf: false };
  const others = othersOf(slice, event).flatMap((id) => slice.referrals.get(id) ?? []);
  const referral = others.find((one) => countsFor(slice, event, one)) ?? null;
  return { referral, isSelf: referral === null && others.length > 0 };
}

/** Whose referral counts if the participant has none, in this order: for a group its actor and its creator. */
export function othersOf({ creatorOf }: Pick<TrackSlice, 'creatorOf'>, event: Parties): string[] {
  const { participantId, actorParticipantId } = event;
  return [actorParticipantId, creatorOf.get(participantId)].flatMap((id) => id ?? []);
}

/** Whether a referral of one of the others counts: nobody is credited for themselves. */
export function countsFor(
  { creatorOf }: Pick<TrackSlice, 'creatorOf'>,
  event: Parties,
  { referrerParticipantId }: Referral,
): boolean {
  return !isSelfReferral(referrerParticipantId, event, (id) => creatorOf.get(id) ?? null);
}
