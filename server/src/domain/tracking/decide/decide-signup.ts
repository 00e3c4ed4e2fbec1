import { awaitsSubscription, refuseReferred } from '../../attribution/decide-attribution.ts';
import { count } from '../batch/count.ts';
import { eventFiguresOf } from '../batch/fact-figures.ts';
import type { Recorder } from '../batch/recorder.ts';
import type { NamedCode, Touch, TrackedEvent, TrackSlice } from '../batch/slice.ts';
import type { TrackAnswer } from '../event-schema.ts';
import { judgeCode, type RefCodeVerdict, readRefCode } from '../intake/ref-code.ts';
import { attributionData, eventData, referralData } from '../read/event-data.ts';
import { announceEarned } from './announce-rewards.ts';
import { attribute, attributionOf, bind } from './attribute.ts';
import { isCustomer } from './customers.ts';
import { grantLoyaltyRewards, grantReferralRewards } from './grant-rewards.ts';

/** Says whose a browser's handle is, and remembers it for the commands after. */
export type IdentifyHandle = (handle: string, personId: string, groupId: string) => Identification;

/** What became of the handle that came with a signup. */
export interface Identification {
  readonly identified: boolean;
  readonly reason: TrackAnswer['identifyReason'];
}

const NO_HANDLE: Identification = { identified: false, reason: null };

/** What came with a signup, as its answer tells of it. */
export interface SignupDetails {
  readonly identification: Identification;
  /** Why a code names nothing, or the touch that it made; null if none was sent. */
  readonly typed: { readonly verdict: RefCodeVerdict } | { readonly touchId: string } | null;
}

/** Decides a signup at once: an identification after it changes nothing. */
export function decideSignup(
  slice: TrackSlice,
  recorder: Recorder,
  identify: IdentifyHandle,
  event: TrackedEvent,
  sent: { readonly handle: string | null; readonly refCode: string | null },
): { decided: TrackedEvent; details: SignupDetails } {
  // The browser belongs to the person who sat before it, also when they made a group.
  const personId = event.actorParticipantId ?? event.participantId;
  const identification =
    sent.handle === null ? NO_HANDLE : identify(sent.handle, personId, event.participantId);
  const named =
    sent.refCode === null ? null : readRefCode(sent.refCode, slice.names, event.occurredAt);
  const codeTouch = named && 'code' in named ? takeCode(slice, recorder, event, named.code) : null;
  if (event.actorParticipantId !== null) {
    slice.creatorOf.set(event.participantId, event.actorParticipantId);
  }

  const known = slice.referrals.get(event.participantId) ?? null;
  const fact = { ...event, eventId: event.id, subscriptionFactId: null };
  const isOld = !known && isCustomer(slice, event.participantId);
  const decision = attribute(slice, fact, 'signup', codeTouch ? [codeTouch] : [], isOld);
  const referral = known ?? bind(slice, recorder, fact, decision);
  const reason = referral ? 'attributed' : decision.reason;
  const candidates = known
    ? refuseReferred(decision.candidates, known.touchId)
    : decision.candidates;
  recorder.announce('event.recorded', eventData(event, null, attributionData(reason, referral)));
  if (referral && !known) recorder.announce('referral.created', referralData(referral));
  const rules = [
    ...(referral ? grantReferralRewards(slice, recorder, event, null, referral) : []),
    ...grantLoyaltyRewards(slice, recorder, event, null),
  ];
  announceEarned(slice, recorder, rules);
  const decided: TrackedEvent = {
    ...event,
    processingState: 'processed',
    processingReason: reason,
    attemptCount: 1,
    explanation: { candidates, rules },
    programId: referral?.programId ?? null,
    referralId: referral?.id ?? null,
  };
  if (awaitsSubscription(candidates)) slice.promised.set(event.participantId, decided);
  count(slice, recorder, eventFiguresOf(recorder.projectId, decided));
  const typed = codeTouch ? { touchId: codeTouch.id } : named && 'verdict' in named ? named : null;
  return { decided, details: { identification, typed } };
}

/** A typed code is a touch of its own, so that every referral has one. */
export function takeCode(
  slice: TrackSlice,
  recorder: Recorder,
  event: Pick<TrackedEvent, 'participantId' | 'occurredAt'>,
  code: NamedCode,
): Touch {
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
  const known = slice.codeTouchesOf.get(event.participantId) ?? [];
  slice.codeTouchesOf.set(event.participantId, [...known, touch]);
  return touch;
}

/** What the caller is told of a signup, as it is by the end of the call. */
export function answerSignup(
  slice: TrackSlice,
  event: TrackedEvent,
  { identification, typed }: SignupDetails,
): TrackAnswer {
  const referral = event.referralId === null ? null : slice.referrals.get(event.participantId);
  return {
    success: true,
    identified: identification.identified,
    identifyReason: identification.reason,
    eventId: event.id,
    participantId: event.participantId,
    processingState: event.processingState,
    processingReason: event.processingReason,
    attribution: attributionOf(referral ?? null),
    refCode: typed && ('verdict' in typed ? typed.verdict : judgeTouch(event, typed.touchId)),
  };
}

function judgeTouch({ explanation }: TrackedEvent, touchId: string): RefCodeVerdict {
  const judged = explanation?.candidates.find((candidate) => candidate.touchId === touchId);
  if (!judged) throw new Error('A code that was typed was not judged.');
  return judgeCode(judged);
}
