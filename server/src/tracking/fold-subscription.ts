import type { AttributionDecision } from '../attribution/decide-attribution.ts';
import { type AppError, notFound } from '../kit/errors.ts';
import { ensureParticipant } from '../participants/participant-slice.ts';
import { firstAnswer, refuseArrival, rememberAnswer } from './arrival.ts';
import { attribute, attributionOf, bind } from './attribute.ts';
import { isCustomerOutside } from './customers.ts';
import { decideWaiting } from './decide-event.ts';
import { referralData } from './event-data.ts';
import type { Referral } from './event-schema.ts';
import { presentCandidate } from './explanation.ts';
import { introduce } from './introduce.ts';
import type { SubscriptionInput } from './normalize-subscription.ts';
import type { Recorder } from './recorder.ts';
import { isAwaitedBy, settleSignup } from './settle-signup.ts';
import type { TrackSlice } from './slice.ts';
import type { SubscriptionAnswer, SubscriptionFact } from './subscription-schema.ts';

export type Subscribed =
  | { readonly answer: SubscriptionAnswer; readonly participantId: string }
  | { readonly refused: AppError };

/**
 * Takes what happened to a subscription into the slice. Its start binds a referral where the
 * Program waits for that, and decides what waited for it. Refusals leave the slice as it was.
 */
export function foldSubscription(
  slice: TrackSlice,
  recorder: Recorder,
  input: SubscriptionInput,
  leavesWaiting: boolean,
): Subscribed {
  const source = slice.sources.get(input.sourceNamespaceId);
  if (!source) return { refused: notFound('source') };
  const party = ensureParticipant(slice.participants, input.participant, recorder);
  if ('refused' in party) return party;
  const participantId = party.participant.id;
  const first = firstAnswer<SubscriptionAnswer>(slice, input);
  if (first) return 'refused' in first ? first : { ...first, participantId };
  const refused = refuseArrival(source, input.occurredAt, recorder.now);
  if (refused) return { refused };
  if (party.isNew) introduce(slice, recorder, party.participant);

  const { participant: _, ...told } = input;
  const id = recorder.newId('sfact');
  const binding = decideBinding(slice, recorder, input, id, participantId, leavesWaiting);
  const fact: SubscriptionFact = {
    id,
    projectId: recorder.projectId,
    participantId,
    ...told,
    receivedAt: recorder.now,
    reason: binding.reason,
    candidates: binding.candidates.map(presentCandidate),
  };
  recorder.made.subscriptionFacts.push(fact);
  const answer: SubscriptionAnswer = {
    success: true,
    data: fact,
    attribution: attributionOf(binding.referral),
  };
  rememberAnswer(slice, recorder, { ...input, answer });
  return { answer, participantId };
}

function decideBinding(
  slice: TrackSlice,
  recorder: Recorder,
  input: SubscriptionInput,
  id: string,
  participantId: string,
  leavesWaiting: boolean,
): Pick<AttributionDecision, 'reason' | 'candidates'> & { readonly referral: Referral | null } {
  if (input.change !== 'started' || slice.referrals.has(participantId)) {
    return { referral: null, reason: 'not_applicable', candidates: [] };
  }
  const fact = {
    eventId: null,
    subscriptionFactId: id,
    participantId,
    actorParticipantId: slice.creatorOf.get(participantId) ?? null,
    occurredAt: input.occurredAt,
  };
  // Whom the signup left waiting for this was no customer then; what came since is no obstacle.
  const signup = slice.promised.get(participantId);
  const isOld = !signup && isCustomerOutside(slice, participantId, input.subscriptionId);
  const codes = slice.codeTouchesOf.get(participantId) ?? [];
  const decision = attribute(slice, fact, 'subscription', codes, isOld);
  const referral = bind(slice, recorder, fact, decision);
  if (referral) recorder.announce('referral.created', referralData(referral));
  const isSettled = signup && isAwaitedBy(signup, input.occurredAt, referral !== null);
  if (isSettled) settleSignup(slice, recorder, signup, decision, referral);
  // Otherwise purchases still wait: for the signup, or for the start that the signup waits for.
  if ((referral || isSettled) && !leavesWaiting) decideWaiting(slice, recorder, participantId);
  return { referral, reason: decision.reason, candidates: decision.candidates };
}
