import { type Instant, toMs } from '../../../platform/kit/instant.ts';
import {
  type AttributionCase,
  type AttributionDecision,
  type Candidate,
  CLOCKS_DIFFER_MS,
  decideAttribution,
} from '../../attribution/decide-attribution.ts';
import type { Sides } from '../../participants/write-participants.ts';
import { NO_VISIT, type Visit } from '../../risk/risk-slice.ts';
import type { StoredReferral, Touch } from '../batch/facts.ts';
import type { Ledger, LedgerView } from '../batch/ledger.ts';
import type { Referral, TrackAnswer } from '../event-schema.ts';
import { admitCampaign, monthOf, nameCampaign, readCampaignPart } from './decide-campaign.ts';
import { enrollmentAt, isSuspended, isThere } from './grant-rewards.ts';

/** Everyone who is a side of these referrals. */
export function sidesOf(referrals: readonly Referral[]): Sides {
  return {
    referrers: new Set(referrals.map((referral) => referral.referrerParticipantId)),
    referees: new Set(referrals.map((referral) => referral.refereeParticipantId)),
  };
}

/** Those whose rows are not marked yet. New people are omitted: their rows are saved with the mark. */
export function newSidesOf(
  referrals: readonly Referral[],
  { people }: Pick<LedgerView, 'people'>,
  newPeople: readonly { readonly id: string }[],
): Sides {
  const saved = new Set(newPeople.map(({ id }) => id));
  const { referrers, referees } = sidesOf(referrals);
  const lacks = (mark: 'isReferrer' | 'isReferee') => (id: string) =>
    !saved.has(id) && people.get(id)?.[mark] !== true;
  return {
    referrers: new Set([...referrers].filter(lacks('isReferrer'))),
    referees: new Set([...referees].filter(lacks('isReferee'))),
  };
}

/** A fact that can bind a referral. */
export interface BindingFact {
  readonly eventId: string | null;
  readonly subscriptionFactId: string | null;
  readonly participantId: string;
  readonly actorParticipantId: string | null;
  readonly occurredAt: Instant;
}

/** The context of such a fact. */
export interface BindingSituation {
  readonly trigger: AttributionCase['trigger'];
  readonly codeTouches: readonly Touch[];
  readonly isExistingCustomer: boolean;
}

/**
 * Considers, in this order: codes, clicks of the participant, touches of the actor, the actor's
 * referral. A code that the actor typed at their signup is a touch like their clicks; when a
 * subscription starts it comes before them, as the participant's own does (D-ATTR-7, D-SUB-1).
 */
export function attribute(
  view: LedgerView,
  fact: BindingFact,
  { trigger, codeTouches, isExistingCustomer }: BindingSituation,
): AttributionDecision {
  const { participantId, actorParticipantId, occurredAt } = fact;
  const isInTime = (touch: Touch) =>
    touch.occurredAt <= occurredAt || toMs(touch.occurredAt) <= toMs(occurredAt) + CLOCKS_DIFFER_MS;
  const inTime = (touches: readonly Touch[] | undefined): readonly Candidate[] =>
    touches === undefined || touches.length === 0
      ? NOBODY
      : touches.filter(isInTime).map(toCandidate);
  const actorId = actorParticipantId ?? '';
  const actorReferral = view.referrals.get(actorId);
  const actorCodes = inTime(view.codeTouchesOf.get(actorId));
  const actorClicks = inTime(view.touchesOf.get(actorId));
  return decideAttribution(
    view.book,
    {
      enrollmentAt: (referrerId, programId, at) =>
        enrollmentAt(view, referrerId, programId, at)?.id ?? null,
      isAvailable: (referrerId) => isThere(view, referrerId) && !isSuspended(view, referrerId),
      creatorOf: (participantId) => view.creatorOf.get(participantId) ?? null,
    },
    {
      participantId,
      actorParticipantId,
      occurredAt,
      trigger,
      groups: [
        inTime(codeTouches),
        inTime(view.touchesOf.get(participantId)),
        ...(trigger === 'signup' ? [[...actorCodes, ...actorClicks]] : [actorCodes, actorClicks]),
        actorReferral
          ? [
              toCandidate({
                id: actorReferral.touchId,
                programId: actorReferral.programId,
                referrerParticipantId: actorReferral.referrerParticipantId,
                occurredAt: actorReferral.bindingOccurredAt,
              }),
            ]
          : NOBODY,
      ],
      isExistingCustomer,
    },
  );
}

const NOBODY: readonly Candidate[] = [];

function toCandidate(touch: Omit<Candidate, 'touchId'> & { readonly id: string }): Candidate {
  return {
    touchId: touch.id,
    programId: touch.programId,
    referrerParticipantId: touch.referrerParticipantId,
    occurredAt: touch.occurredAt,
  };
}

/** The Referral of a decision, created now; null if it selected nobody. */
export function bind(
  ledger: Ledger,
  fact: BindingFact,
  { selected }: AttributionDecision,
): StoredReferral | null {
  if (!selected) return null;
  const { candidate, enrollmentId, policy } = selected;
  const touch = findTouch(ledger.view, fact, candidate.touchId);
  const { linkId, campaign } = comingOf(ledger.view, fact, { candidate, touch });
  const referral: StoredReferral = {
    id: ledger.newId('ref'),
    createdAt: ledger.now,
    updatedAt: ledger.now,
    projectId: ledger.projectId,
    referrerParticipantId: candidate.referrerParticipantId,
    refereeParticipantId: fact.participantId,
    enrollmentId,
    programId: candidate.programId,
    touchId: candidate.touchId,
    bindingEventId: fact.eventId,
    bindingSubscriptionFactId: fact.subscriptionFactId,
    bindingOccurredAt: fact.occurredAt,
    selectedAt: ledger.now,
    policyVersionId: policy.id,
    firstPurchaseAt: null,
    reviewStatus: null,
    linkId,
    campaign,
  };
  ledger.addReferral(referral, visitOf(ledger.view, fact, touch));
  return referral;
}

/**
 * The link and the campaign of the selected touch; the actor's referral is selected with the touch that made
 * it. The campaign counts in the month of this referral.
 */
function comingOf(
  view: LedgerView,
  fact: BindingFact,
  { candidate: { touchId, programId }, touch }: { candidate: Candidate; touch: Touch | undefined },
): Pick<StoredReferral, 'linkId' | 'campaign'> {
  const admit = (name: string | null) =>
    name && admitCampaign(view.campaigns.get(programId) ?? new Set(), monthOf(view.now), name);
  if (touch) return { linkId: touch.linkId, campaign: admit(nameCampaign(touch)) };
  const behind = view.referrals.get(fact.actorParticipantId ?? '');
  if (behind?.touchId !== touchId) return { linkId: null, campaign: null };
  const name = behind.campaign && readCampaignPart(behind.campaign).name;
  return { linkId: behind.linkId, campaign: admit(name) };
}

function findTouch(
  view: LedgerView,
  { participantId, actorParticipantId }: BindingFact,
  touchId: string,
): Touch | undefined {
  const isIt = ({ id }: Touch) => id === touchId;
  const find = (id: string) =>
    view.codeTouchesOf.get(id)?.find(isIt) ?? view.touchesOf.get(id)?.find(isIt);
  return (
    find(participantId) ?? (actorParticipantId === null ? undefined : find(actorParticipantId))
  );
}

/** The click behind the selected touch; a typed code has none. */
function visitOf(view: LedgerView, fact: BindingFact, touch: Touch | undefined): Visit {
  if (touch) {
    const { handleId, occurredAt, networkHash: network } = touch;
    if (handleId === null && network === null) return NO_VISIT;
    return { clickedAt: handleId === null ? null : occurredAt, network };
  }
  return view.risk.visits.get(fact.actorParticipantId ?? '') ?? NO_VISIT;
}

/** A Referral as presented in answers. */
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
