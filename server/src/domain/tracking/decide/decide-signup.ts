import { awaitsSubscription, refuseReferred } from '../../attribution/decide-attribution.ts';
import { identify } from '../../attribution/decide-identify.ts';
import type { NamedCode, Touch, TrackedEvent } from '../batch/facts.ts';
import type { Ledger, LedgerView } from '../batch/ledger.ts';
import type { TrackAnswer } from '../event-schema.ts';
import { judgeCode, type RefCodeVerdict, readRefCode } from '../intake/check-fact.ts';
import { attributionData, eventData, referralData } from '../read/present-event.ts';
import { attribute, attributionOf, bind } from './attribute.ts';
import { isCustomer } from './customers.ts';
import { NO_CAMPAIGN } from './decide-campaign.ts';
import { announceEarned, grantLoyaltyRewards, grantReferralRewards } from './grant-rewards.ts';
import { explain, judgeReferral } from './judge-referral.ts';
import { settleSides } from './settle-milestones.ts';

/** The result for the handle that was sent with a signup. */
interface Identification {
  readonly identified: boolean;
  readonly reason: TrackAnswer['identifyReason'];
}

const NO_HANDLE: Identification = { identified: false, reason: null };

/** What was sent with a signup, for its answer. */
export interface SignupDetails {
  readonly identification: Identification;
  /** Why a code names nothing, or the touch that it created; null if none was sent. */
  readonly typed: { readonly verdict: RefCodeVerdict } | { readonly touchId: string } | null;
}

/** Decides a signup at once: a later identification changes nothing. */
export function decideSignup(
  ledger: Ledger,
  event: TrackedEvent,
  sent: { readonly handle: string | null; readonly refCode: string | null },
): { decided: TrackedEvent; details: SignupDetails } {
  const { view } = ledger;
  const identification = sent.handle === null ? NO_HANDLE : takeHandle(ledger, sent.handle, event);
  const named =
    sent.refCode === null ? null : readRefCode(sent.refCode, view.names, event.occurredAt);
  const codeTouch = named && 'code' in named ? takeCode(ledger, event, named.code) : null;
  if (event.actorParticipantId !== null) {
    ledger.addCreator(event.participantId, event.actorParticipantId);
  }

  const known = view.referrals.get(event.participantId) ?? null;
  const { id: eventId, participantId, actorParticipantId, occurredAt } = event;
  const fact = {
    eventId,
    subscriptionFactId: null,
    participantId,
    actorParticipantId,
    occurredAt,
  };
  const decision = attribute(view, fact, {
    trigger: 'signup',
    codeTouches: codeTouch ? [codeTouch] : [],
    isExistingCustomer: !known && isCustomer(view, event.participantId),
  });
  const referral = known ?? bind(ledger, fact, decision);
  const reason = referral ? 'attributed' : decision.reason;
  const candidates = known
    ? refuseReferred(decision.candidates, known.touchId)
    : decision.candidates;
  ledger.announce('event.recorded', () =>
    eventData(event, null, attributionData(reason, referral)),
  );
  if (referral && !known) ledger.announce('referral.created', () => referralData(referral));
  const rules = referral ? grantReferralRewards(ledger, event, referral) : [];
  rules.push(...grantLoyaltyRewards(ledger, event));
  const risk = referral && judgeReferral(ledger, event, { referral, rules, isNew: !known });
  if (referral) settleSides(ledger, referral);
  announceEarned(ledger, rules);
  const decided: TrackedEvent = {
    ...event,
    processingState: 'processed',
    processingReason: reason,
    attemptCount: 1,
    explanation: explain(candidates, rules, risk),
    programId: referral?.programId ?? null,
    referralId: referral?.id ?? null,
  };
  if (awaitsSubscription(candidates)) ledger.addPromised(decided);
  const typed = codeTouch ? { touchId: codeTouch.id } : named && 'verdict' in named ? named : null;
  return { decided, details: { identification, typed } };
}

/**
 * The browser belongs to the person who used it, also if they created a group. A problem with a
 * handle never fails a signup: the answer reports it.
 */
function takeHandle(
  ledger: Ledger,
  handle: string,
  { participantId, actorParticipantId }: TrackedEvent,
): Identification {
  const { identities, now } = ledger;
  // A group's own browser stays the group's, although its creator used it.
  if (identities.handles.get(handle)?.participantId === participantId) {
    return { identified: true, reason: null };
  }
  const person = actorParticipantId ?? participantId;
  const outcome = identify(identities, { shape: 'handle_person', handle, person }, now);
  if ('refused' in outcome) {
    const isNone = outcome.refused === 'not_a_handle';
    return { identified: false, reason: isNone ? 'not_a_handle' : 'handle_already_identified' };
  }
  ledger.addTouchesOfHandle(handle, person);
  return { identified: true, reason: null };
}

/** A typed code becomes a touch, so that every referral has one. */
export function takeCode(
  ledger: Ledger,
  event: Pick<TrackedEvent, 'participantId' | 'occurredAt'>,
  code: NamedCode,
): Touch {
  const touch = {
    id: ledger.newId('tch'),
    programId: code.programId,
    handleId: null,
    participantId: event.participantId,
    refCodeId: code.refCodeId,
    linkId: code.linkId,
    referrerParticipantId: code.participantId,
    occurredAt: event.occurredAt,
    networkHash: null,
    utmSource: NO_CAMPAIGN.utmSource,
    utmMedium: NO_CAMPAIGN.utmMedium,
    utmCampaign: NO_CAMPAIGN.utmCampaign,
  };
  ledger.addTouch(touch);
  return touch;
}

/** The answer to a signup, in its state at the end of the call. */
export function answerSignup(
  view: LedgerView,
  event: TrackedEvent,
  { identification, typed }: SignupDetails,
): TrackAnswer {
  const referral = event.referralId === null ? null : view.referrals.get(event.participantId);
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
  if (!judged) throw new Error('No verdict was given on a typed code.');
  return judgeCode(judged);
}
