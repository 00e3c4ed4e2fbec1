import { isSelfReferral } from '../../attribution/decide-attribution.ts';
import type { StoredReferral, TrackedEvent } from '../batch/facts.ts';
import type { LedgerView } from '../batch/ledger.ts';
import type { Referral } from '../event-schema.ts';

/** The referral that a fact counts for. */
export interface Credit {
  readonly referral: StoredReferral | null;
  /** Whether there is none because the referrer would be credited for themselves. */
  readonly isSelf: boolean;
}

type Parties = Pick<TrackedEvent, 'participantId' | 'actorParticipantId'>;
type Referred = Pick<LedgerView, 'referrals' | 'creatorOf'>;

/** The participant's own referral; for a group without one that of its actor, then that of its creator (D-AM-2). */
export function findCredit(view: Referred, event: Parties): Credit {
  const own = view.referrals.get(event.participantId);
  if (own) return { referral: own, isSelf: false };
  const others = othersOf(view, event).flatMap((id) => view.referrals.get(id) ?? []);
  const referral = others.find((one) => countsFor(view, event, one)) ?? null;
  return { referral, isSelf: referral === null && others.length > 0 };
}

/** Whose referrals count if the participant has none, in this order: for a group its actor and its creator. */
export function othersOf({ creatorOf }: Pick<LedgerView, 'creatorOf'>, event: Parties): string[] {
  const { participantId, actorParticipantId } = event;
  return [actorParticipantId, creatorOf.get(participantId)].flatMap((id) => id ?? []);
}

/** Whether a referral of one of the others counts: nobody is credited for themselves. */
export function countsFor(
  { creatorOf }: Pick<LedgerView, 'creatorOf'>,
  event: Parties,
  { referrerParticipantId }: Referral,
): boolean {
  return !isSelfReferral(referrerParticipantId, event, (id) => creatorOf.get(id) ?? null);
}
