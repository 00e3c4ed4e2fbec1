import { type AppError, notFound } from '../../../platform/kit/errors.ts';
import { addMs, type Instant } from '../../../platform/kit/instant.ts';
import { ensureParticipant } from '../../participants/participant-slice.ts';
import type { Participant } from '../../participants/schema.ts';
import { introduce } from '../batch/introduce.ts';
import { addRow, type Recorder } from '../batch/recorder.ts';
import type { Purchase, TrackedEvent, TrackSlice } from '../batch/slice.ts';
import type { TrackAnswer } from '../event-schema.ts';
import { firstAnswer, refuseArrival, rememberAnswer, sourceKey } from '../intake/arrival.ts';
import { invoiceKey } from '../intake/invoice-key.ts';
import type { EventInput } from '../intake/normalize-event.ts';
import { signupIdOf } from '../intake/signup-id.ts';
import { attributionOf } from './attribute.ts';
import { bindEarlierStarts } from './bind-start.ts';
import { decideCustom, decidePurchase, earnAtReceipt } from './decide-event.ts';
import { PURCHASE_WAIT_MS } from './decide-purchase-wait.ts';
import { answerSignup, decideSignup, type IdentifyHandle } from './decide-signup.ts';
import { decideWaiting, isWaiting } from './decide-waiting.ts';
import { applyEarly } from './early-adjustment.ts';
import { findCredit } from './find-credit.ts';

export type Tracked =
  | { readonly answer: TrackAnswer; readonly participantId: string }
  | { readonly refused: AppError };

/**
 * Takes one fact into the slice: `apply(state, command)` of the writer's fold. Refusals
 * leave the slice as it was.
 */
export function foldEvent(
  slice: TrackSlice,
  recorder: Recorder,
  identify: IdentifyHandle,
  sent: EventInput,
  leavesWaiting: boolean,
): Tracked {
  const source = slice.sources.get(sent.sourceNamespaceId);
  if (!source) return { refused: notFound('source') };
  const participant = ensureParticipant(slice.participants, sent.participant, recorder);
  if ('refused' in participant) return participant;
  const actor = sent.actor && ensureParticipant(slice.participants, sent.actor, recorder);
  if (actor && 'refused' in actor) return actor;
  const input = withoutOwnId(sent, participant.participant);
  const first = firstResult(slice, input, participant.participant);
  if (first) return first;
  const occurredAt = input.occurredAt ?? recorder.now;
  const refused = refuseArrival(source, occurredAt, recorder.now);
  if (refused) return { refused };

  for (const party of [participant, actor]) {
    if (party?.isNew) introduce(slice, recorder, party.participant);
  }
  const answer = takeEvent(
    slice,
    recorder,
    identify,
    input,
    occurredAt,
    participant.participant,
    actor?.participant ?? null,
    leavesWaiting,
  );
  if (input.type === 'signup' && !leavesWaiting) {
    decideWaiting(slice, recorder, participant.participant.id);
  }
  remember(slice, recorder, input, participant.participant.id, answer);
  return { answer, participantId: participant.participant.id };
}

/** A signup under the id that the service would give it has the same id as one without. */
function withoutOwnId(input: EventInput, { id }: Participant): EventInput {
  const isOwn = input.type === 'signup' && input.sourceEventId === signupIdOf(id);
  return isOwn ? { ...input, sourceEventId: null } : input;
}

/** A person's second signup, and a fact whose id came before, get the first answer. */
function firstResult(
  slice: TrackSlice,
  input: EventInput,
  { id: participantId }: Participant,
): Tracked | undefined {
  const signup = input.type === 'signup' ? slice.signups.get(participantId) : undefined;
  if (signup) return { answer: signup, participantId };
  const { sourceEventId } = input;
  if (sourceEventId === null) return undefined;
  const first = firstAnswer<TrackAnswer>(slice, { ...input, sourceEventId });
  return first && ('refused' in first ? first : { ...first, participantId });
}

function takeEvent(
  slice: TrackSlice,
  recorder: Recorder,
  identify: IdentifyHandle,
  input: EventInput,
  occurredAt: Instant,
  participant: Participant,
  actor: Participant | null,
  leavesWaiting: boolean,
): TrackAnswer {
  const event: TrackedEvent = {
    id: recorder.newId('evt'),
    number: recorder.nextNumber('events'),
    type: input.type,
    participantId: participant.id,
    actorParticipantId: actor?.id ?? null,
    sourceNamespaceId: input.sourceNamespaceId,
    sourceEventId: input.sourceEventId,
    occurredAt,
    receivedAt: recorder.now,
    facts: input.facts,
    factsHash: input.factsHash,
    processingState: 'pending',
    processingReason: 'awaiting_attribution',
    attemptCount: 0,
    nextAttemptAt: null,
    explanation: null,
    programId: null,
    referralId: null,
  };
  if (input.type === 'signup') {
    const { decided, details } = decideSignup(slice, recorder, identify, event, input);
    addRow(recorder.made.events, decided);
    if (slice.promised.has(participant.id)) {
      bindEarlierStarts(slice, recorder, participant.id, leavesWaiting);
    }
    const settled = recorder.made.events.added.get(event.id) ?? decided;
    const answer = answerSignup(slice, settled, details);
    slice.signups.set(participant.id, answer);
    return answer;
  }
  const told = input.type === 'purchase' ? takePurchase(slice, recorder, event) : null;
  if (input.type === 'purchase') applyEarly(slice, recorder, event);
  const purchase = told && (slice.purchases.get(told.id) ?? told);
  const decided = decideOther(slice, recorder, event, purchase);
  addRow(recorder.made.events, decided);
  const { referral } = findCredit(slice, decided);
  return {
    success: true,
    identified: false,
    identifyReason: null,
    eventId: event.id,
    participantId: participant.id,
    processingState: decided.processingState,
    processingReason: decided.processingReason,
    attribution: decided.processingReason === 'attributed' ? attributionOf(referral) : null,
    refCode: input.refCode === null ? null : { accepted: false, reason: 'not_a_signup' },
  };
}

function decideOther(
  slice: TrackSlice,
  recorder: Recorder,
  event: TrackedEvent,
  purchase: Purchase | null,
): TrackedEvent {
  if (event.type !== 'purchase') return decideCustom(slice, recorder, event);
  if (purchase?.duplicateOf || !isWaiting(slice, event, recorder.now)) {
    return decidePurchase(slice, recorder, event, purchase);
  }
  const rules = earnAtReceipt(slice, recorder, event, purchase);
  const waiting: TrackedEvent = {
    ...event,
    nextAttemptAt: addMs(recorder.now, PURCHASE_WAIT_MS),
    explanation: { candidates: [], rules },
  };
  const others = slice.waiting.get(event.participantId) ?? [];
  slice.waiting.set(event.participantId, [...others, waiting]);
  return waiting;
}

/** The amounts of a purchase, if it came with any; a second Event about an invoice points to the first. */
function takePurchase(slice: TrackSlice, recorder: Recorder, event: TrackedEvent): Purchase | null {
  const facts = event.facts.purchase;
  if (!facts) return null;
  const invoice = invoiceKey({ ...facts, participantId: event.participantId });
  const duplicateOf = facts.invoiceId === null ? null : (slice.invoices.get(invoice) ?? null);
  const purchase: Purchase = {
    ...facts,
    id: recorder.newId('pur'),
    eventId: event.id,
    participantId: event.participantId,
    duplicateOf,
    refundedMinor: 0n,
    disputedMinor: 0n,
  };
  addRow(recorder.made.purchases, purchase);
  slice.purchases.set(purchase.id, purchase);
  slice.purchaseOfEvent.set(event.id, purchase.id);
  const { sourceNamespaceId, sourceEventId } = event;
  if (sourceEventId !== null) {
    const key = sourceKey({ sourceNamespaceId, sourceEventId });
    slice.purchaseOfKey.set(key, duplicateOf ?? purchase.id);
  }
  if (facts.invoiceId !== null && duplicateOf === null) {
    slice.invoices.set(invoice, purchase.id);
  }
  return purchase;
}

function remember(
  slice: TrackSlice,
  recorder: Recorder,
  input: EventInput,
  participantId: string,
  answer: TrackAnswer,
): void {
  const { sourceNamespaceId, sourceEventId, factsHash } = input;
  if (input.type === 'signup') {
    recorder.made.signups.push({ participantId, eventId: answer.eventId, answer });
  }
  if (sourceEventId === null) return;
  rememberAnswer(slice, recorder, { sourceNamespaceId, sourceEventId, factsHash, answer });
}
