import { isSelfReferral } from '../attribution/self-referral.ts';
import type { Referral } from './event-schema.ts';
import type { TrackedEvent, TrackSlice } from './slice.ts';

/** Which referral a fact counts for. */
export interface Credit {
  readonly referral: Referral | null;
  /** Whether there is none because its referrer would be credited for themselves. */
  readonly isSelf: boolean;
}

/**
 * The participant's own referral; for a group without one that of its actor, then that of its
 * creator (D-AM-2).
 */
export function findCredit(
  { referrals, creatorOf }: Pick<TrackSlice, 'referrals' | 'creatorOf'>,
  event: Pick<TrackedEvent, 'participantId' | 'actorParticipantId'>,
): Credit {
  const { participantId, actorParticipantId } = event;
  const own = referrals.get(participantId);
  if (own) return { referral: own, isSelf: false };
  const others = [actorParticipantId, creatorOf.get(participantId)].flatMap(
    (id) => referrals.get(id ?? '') ?? [],
  );
  const isSelf = ({ referrerParticipantId }: Referral) =>
    isSelfReferral(referrerParticipantId, event, (id) => creatorOf.get(id) ?? null);
  const referral = others.find((one) => !isSelf(one)) ?? null;
  return { referral, isSelf: referral === null && others.length > 0 };
}
