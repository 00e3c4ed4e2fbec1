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
  let isSelf = false;
  for (const id of othersOf(view, event)) {
    const referral = view.referrals.get(id);
    if (!referral) continue;
    if (countsFor(view, event, referral)) return { referral, isSelf: false };
    isSelf = true;
  }
  return { referral: null, isSelf };
}

/** Whose referrals count if the participant has none, in this order: for a group its actor and its creator. */
export function othersOf({ creatorOf }: Pick<LedgerView, 'creatorOf'>, event: Parties): string[] {
  const { participantId, actorParticipantId } = event;
  const creatorId = creatorOf.get(participantId);
  const others = actorParticipantId === null ? [] : [actorParticipantId];
  if (creatorId !== undefined) others.push(creatorId);
  return others;
}

/** Whether a referral of one of the others counts: nobody is credited for themselves. */
export function countsFor(
  { creatorOf }: Pick<LedgerView, 'creatorOf'>,
  event: Parties,
  { referrerParticipantId }: Referral,
): boolean {
  return !isSelfReferral(referrerParticipantId, event, (id) => creatorOf.get(id) ?? null);
}
