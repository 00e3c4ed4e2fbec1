import {
  type AttributionDecision,
  type Candidate,
  decideAttribution,
} from '../attribution/decide-attribution.ts';
import { addMs, MINUTE_MS } from '../kit/instant.ts';
import { addToCounter } from './count.ts';
import { countEvent } from './decide-event.ts';
import { attributionData, eventData, referralData } from './event-data.ts';
import type { Referral, TrackAnswer } from './event-schema.ts';
import { enrollmentAt, grantLoyaltyRewards, grantReferralRewards } from './grant-rewards.ts';
import type { Recorder } from './recorder.ts';
import { type RefCodeVerdict, readRefCode } from './ref-code.ts';
import type { NamedCode, Touch, TrackedEvent, TrackSlice } from './slice.ts';

/** Says whose a browser's handle is, and remembers it for the commands after. */
export type IdentifyHandle = (handle: string, personId: string, groupId: string) => Identification;

/** What became of the handle that came with a signup. */
export interface Identification {
  readonly identified: boolean;
  readonly reason: TrackAnswer['identifyReason'];
}

const NO_HANDLE: Identification = { identified: false, reason: null };

/** A click may be stamped a little after the signup that it caused, by another clock. */
const LATE_TOUCH_MS = 5 * MINUTE_MS;

/** Decides a signup at once: an identification after it changes nothing. */
export function decideSignup(
  slice: TrackSlice,
  recorder: Recorder,
  identify: IdentifyHandle,
  event: TrackedEvent,
  sent: { readonly handle: string | null; readonly refCode: string | null },
): { answer: TrackAnswer; decided: TrackedEvent } {
  // The browser belongs to the person who sat before it, also when they made a group.
  const personId = event.actorParticipantId ?? event.participantId;
  const identification =
    sent.handle === null ? NO_HANDLE : identify(sent.handle, personId, event.participantId);
  const typed = sent.refCode === null ? null : readRefCode(sent.refCode, slice.names);
  const codeTouch = typed?.code ? takeCode(recorder, event, typed.code) : null;

  const known = slice.referrals.get(event.participantId) ?? null;
  const decision = attribute(slice, event, codeTouch);
  const referral = known ?? (decision.selected ? bind(slice, recorder, event, decision) : null);
  const reason = referral ? 'attributed' : decision.reason;
  recorder.announce('event.recorded', eventData(event, null, attributionData(reason, referral)));
  if (referral && !known) recorder.announce('referral.created', referralData(referral));
  const rules = [
    ...(referral ? grantReferralRewards(slice, recorder, event, null, referral) : []),
    ...grantLoyaltyRewards(slice, recorder, event, null),
  ];
  if (referral) countEvent(slice, recorder, referral.programId, 'signups');
  const decided: TrackedEvent = {
    ...event,
    processingState: 'processed',
    processingReason: reason,
    attemptCount: 1,
    explanation: { candidates: decision.candidates, rules },
  };
  return { decided, answer: toAnswer(decided, identification, referral, typed?.verdict ?? null) };
}

/** A typed code is a touch of its own, so that every referral has one. */
function takeCode(recorder: Recorder, event: TrackedEvent, code: NamedCode): Touch {
  const touch: Touch = {
    id: recorder.newId('tch'),
    programId: code.programId,
    handleId: null,
    participantId: event.participantId,
    refCodeId: code.refCodeId,
    linkId: code.linkId,
    referrerParticipantId: code.participantId,
    occurredAt: event.occurredAt,
  };
  recorder.made.touches.push(touch);
  return touch;
}

function attribute(
  slice: TrackSlice,
  event: TrackedEvent,
  codeTouch: Touch | null,
): AttributionDecision {
  const latest = addMs(event.occurredAt, LATE_TOUCH_MS);
  const touchesOf = (personId: string | null): Candidate[] =>
    personId === null
      ? []
      : (slice.touchesOf.get(personId) ?? [])
          .filter((touch) => touch.occurredAt <= latest)
          .map(toCandidate);
  const actorReferral = slice.referrals.get(event.actorParticipantId ?? '');
  return decideAttribution(
    slice.book,
    {
      enrollmentAt: (referrerId, programId, at) =>
        enrollmentAt(slice, referrerId, programId, at)?.id ?? null,
      isAvailable: (referrerId) => slice.people.get(referrerId)?.deletedAt === null,
    },
    {
      participantId: event.participantId,
      actorParticipantId: event.actorParticipantId,
      occurredAt: event.occurredAt,
      trigger: 'signup',
      groups: [
        codeTouch ? [toCandidate(codeTouch)] : [],
        touchesOf(event.participantId),
        touchesOf(event.actorParticipantId),
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
      isExistingCustomer: slice.customers.has(event.participantId),
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

function bind(
  slice: TrackSlice,
  recorder: Recorder,
  event: TrackedEvent,
  { selected }: AttributionDecision,
): Referral {
  if (!selected) throw new Error('Nothing was selected to bind.');
  const { candidate, enrollmentId, policy } = selected;
  const referral: Referral = {
    id: recorder.newId('ref'),
    createdAt: recorder.now,
    updatedAt: recorder.now,
    projectId: recorder.projectId,
    referrerParticipantId: candidate.referrerParticipantId,
    refereeParticipantId: event.participantId,
    enrollmentId,
    programId: candidate.programId,
    touchId: candidate.touchId,
    bindingEventId: event.id,
    bindingSubscriptionFactId: null,
    bindingOccurredAt: event.occurredAt,
    selectedAt: recorder.now,
    policyVersionId: policy.id,
  };
  slice.referrals.set(event.participantId, referral);
  recorder.made.referrals.push(referral);
  const { programId, referrerParticipantId } = referral;
  addToCounter(slice, recorder, referrerParticipantId, `${programId}:referrals`, 1);
  countEvent(slice, recorder, programId, 'referrals');
  return referral;
}

function toAnswer(
  event: TrackedEvent,
  identification: Identification,
  referral: Referral | null,
  refCode: RefCodeVerdict | null,
): TrackAnswer {
  return {
    success: true,
    identified: identification.identified,
    identifyReason: identification.reason,
    eventId: event.id,
    participantId: event.participantId,
    processingState: event.processingState,
    processingReason: event.processingReason,
    attribution: referral && {
      referralId: referral.id,
      programId: referral.programId,
      referrerParticipantId: referral.referrerParticipantId,
      touchId: referral.touchId,
    },
    refCode,
  };
}
