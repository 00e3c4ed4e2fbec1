import { addMs, type Instant } from '../../../platform/kit/instant.ts';
import {
  type AttributionCase,
  type AttributionDecision,
  type Candidate,
  CLOCKS_DIFFER_MS,
  decideAttribution,
} from '../../attribution/decide-attribution.ts';
import { count } from '../batch/count.ts';
import { referralFiguresOf } from '../batch/fact-figures.ts';
import type { Recorder } from '../batch/recorder.ts';
import type { Touch, TrackSlice } from '../batch/slice.ts';
import type { Referral, TrackAnswer } from '../event-schema.ts';
import { enrollmentAt, isSuspended, isThere } from './grant-rewards.ts';

/** A fact that can bind a referral. */
export interface BindingFact {
  readonly eventId: string | null;
  readonly subscriptionFactId: string | null;
  readonly participantId: string;
  readonly actorParticipantId: string | null;
  readonly occurredAt: Instant;
}

/**
 * Weighs, in this order: codes, clicks of the participant, touches of the actor, who brought the actor.
 * A code that the actor typed when they signed up is a touch as their clicks are; when a subscription
 * starts it comes before them, as one's own does (D-ATTR-7, D-SUB-1).
 */
export function attribute(
  slice: TrackSlice,
  fact: BindingFact,
  trigger: AttributionCase['trigger'],
  codeTouches: readonly Touch[],
  isExistingCustomer: boolean,
): AttributionDecision {
  const { participantId, actorParticipantId, occurredAt } = fact;
  const latest = addMs(occurredAt, CLOCKS_DIFFER_MS);
  const inTime = (touches: readonly Touch[] = []) =>
    touches.filter((touch) => touch.occurredAt <= latest).map(toCandidate);
  const actorId = actorParticipantId ?? '';
  const actorReferral = slice.referrals.get(actorId);
  const actorCodes = inTime(slice.codeTouchesOf.get(actorId));
  const actorClicks = inTime(slice.touchesOf.get(actorId));
  return decideAttribution(
    slice.book,
    {
      enrollmentAt: (referrerId, programId, at) =>
        enrollmentAt(slice, referrerId, programId, at)?.id ?? null,
      isAvailable: (referrerId) => isThere(slice, referrerId) && !isSuspended(slice, referrerId),
      creatorOf: (participantId) => slice.creatorOf.get(participantId) ?? null,
    },
    {
      participantId,
      actorParticipantId,
      occurredAt,
      trigger,
      groups: [
        inTime(codeTouches),
        inTime(slice.touchesOf.get(participantId)),
        ...(trigger === 'signup' ? [[...actorCodes, ...actorClicks]] : [actorCodes, actorClicks]),
        actorReferral
          ? [
              toCandidate({
                ...actorReferral,
                id: actorReferral.touchId,
                occurredAt: actorReferral.bindingOccurredAt,
              }),
            ]
          : [],
      ],
      isExistingCustomer,
    },
  );
}

function toCandidate(touch: Omit<Candidate, 'touchId'> & { readonly id: string }): Candidate {
  return {
    touchId: touch.id,
    programId: touch.programId,
    referrerParticipantId: touch.referrerParticipantId,
    occurredAt: touch.occurredAt,
  };
}

/** The Referral that a decision gives, made now; null if it selected nobody. */
export function bind(
  slice: TrackSlice,
  recorder: Recorder,
  fact: BindingFact,
  { selected }: AttributionDecision,
): Referral | null {
  if (!selected) return null;
  const { candidate, enrollmentId, policy } = selected;
  const referral: Referral = {
    id: recorder.newId('ref'),
    createdAt: recorder.now,
    updatedAt: recorder.now,
    projectId: recorder.projectId,
    referrerParticipantId: candidate.referrerParticipantId,
    refereeParticipantId: fact.participantId,
    enrollmentId,
    programId: candidate.programId,
    touchId: candidate.touchId,
    bindingEventId: fact.eventId,
    bindingSubscriptionFactId: fact.subscriptionFactId,
    bindingOccurredAt: fact.occurredAt,
    selectedAt: recorder.now,
    policyVersionId: policy.id,
  };
  slice.referrals.set(fact.participantId, referral);
  recorder.made.referrals.push(referral);
  count(slice, recorder, referralFiguresOf(referral));
  return referral;
}

/** A Referral as answers tell of it. */
export function attributionOf(referral: Referral | null): TrackAnswer['attribution'] {
  return (
    referral && {
      referralId: referral.id,
      programId: referral.programId,
      referrerParticipantId: referral.referrerParticipantId,
      touchId: referral.touchId,
    }
  );
}
