import { notFound } from '../../../platform/kit/errors.ts';
import { addMs, type Instant } from '../../../platform/kit/instant.ts';
import { ensureParticipant } from '../../participants/participant-slice.ts';
import type { Participant } from '../../participants/schema.ts';
import type { Purchase, TrackedEvent } from '../batch/facts.ts';
import { type Checked, type Ledger, type LedgerView, purchaseOf } from '../batch/ledger.ts';
import type { TrackAnswer } from '../event-schema.ts';
import { firstAnswer, refuseFact } from '../intake/check-fact.ts';
import { type EventInput, invoiceKey, signupIdOf } from '../intake/normalize-event.ts';
import { attributionOf } from './attribute.ts';
import { bindEarlierStarts } from './bind-start.ts';
import { decideCustom, decidePurchase, earnAtReceipt } from './decide-event.ts';
import { PURCHASE_WAIT_MS } from './decide-purchase-wait.ts';
import { answerSignup, decideSignup } from './decide-signup.ts';
import { decideWaiting, isWaiting } from './decide-waiting.ts';
import { applyEarly } from './early-adjustment.ts';
import { findCredit } from './find-credit.ts';

/** A valid Event. */
interface GoodEvent {
  readonly input: EventInput;
  readonly occurredAt: Instant;
  readonly participant: Participant;
  readonly actor: Participant | null;
  readonly leavesWaiting: boolean;
}

/** A signup, a purchase or a custom fact of the caller. */
export function checkEvent(
  view: LedgerView,
  sent: EventInput,
  leavesWaiting: boolean,
): Checked<TrackAnswer> {
  const source = view.sources.get(sent.sourceNamespaceId);
  if (!source) return { refused: notFound('source') };
  const party = ensureParticipant(view.participants, sent.participant, view);
  if ('refused' in party) return party;
  const actor = sent.actor && ensureParticipant(view.participants, sent.actor, view);
  if (actor && 'refused' in actor) return actor;
  const { participant } = party;
  const input = withoutOwnId(sent, participant);
  const first = firstResult(view, input, participant);
  if (first) return first;
  const occurredAt = input.occurredAt ?? view.now;
  const refused = refuseFact(source, occurredAt, view.now);
  if (refused) return { refused };
  const good = { input, occurredAt, participant, actor: actor?.participant ?? null, leavesWaiting };
  return { take: (ledger) => takeEvent(ledger, good) };
}

/** A signup with the id that the service would assign is the same as one without an id. */
function withoutOwnId(input: EventInput, { id }: Participant): EventInput {
  const isOwn = input.type === 'signup' && input.sourceEventId === signupIdOf(id);
  return isOwn ? { ...input, sourceEventId: null } : input;
}

/** A person's second signup, and a fact with a known id, get the first answer. */
function firstResult(
  view: LedgerView,
  input: EventInput,
  { id: participantId }: Participant,
): Checked<TrackAnswer> | undefined {
  const signup = input.type === 'signup' ? view.signups.get(participantId) : undefined;
  if (signup) return { answer: signup, participantId };
  const { sourceEventId } = input;
  if (sourceEventId === null) return undefined;
  const first = firstAnswer<TrackAnswer>(view, { ...input, sourceEventId });
  return first && ('refused' in first ? first : { ...first, participantId });
}

function takeEvent(ledger: Ledger, good: GoodEvent) {
  const { input, participant, actor } = good;
  const participantId = participant.id;
  for (const party of [participant, actor]) if (party) ledger.introduce(party);
  const answer = input.type === 'signup' ? takeSignup(ledger, good) : takeOther(ledger, good);
  const { sourceNamespaceId, sourceEventId, factsHash } = input;
  if (sourceEventId !== null) {
    ledger.addAnswer({ sourceNamespaceId, sourceEventId, factsHash, answer });
  }
  return { answer, participantId };
}

function takeSignup(ledger: Ledger, good: GoodEvent): TrackAnswer {
  const { input, participant, leavesWaiting } = good;
  const { decided, details } = decideSignup(ledger, makeEvent(ledger, good), input);
  ledger.addEvent(decided);
  if (ledger.view.promised.has(participant.id)) {
    bindEarlierStarts(ledger, participant.id, leavesWaiting);
  }
  const settled = ledger.view.decidedEvents.get(decided.id) ?? decided;
  const answer = answerSignup(ledger.view, settled, details);
  ledger.addSignup(answer);
  if (!leavesWaiting) decideWaiting(ledger, participant.id);
  return answer;
}

function takeOther(ledger: Ledger, good: GoodEvent): TrackAnswer {
  const event = makeEvent(ledger, good);
  const decided =
    event.type === 'purchase' ? takePurchase(ledger, event) : decideCustom(ledger, event);
  ledger.addEvent(decided);
  const { referral } = findCredit(ledger.view, decided);
  return {
    success: true,
    identified: false,
    identifyReason: null,
    eventId: event.id,
    participantId: event.participantId,
    processingState: decided.processingState,
    processingReason: decided.processingReason,
    attribution: decided.processingReason === 'attributed' ? attributionOf(referral) : null,
    refCode: good.input.refCode === null ? null : { accepted: false, reason: 'not_a_signup' },
  };
}

function makeEvent(ledger: Ledger, good: GoodEvent): TrackedEvent {
  const { input, occurredAt, participant, actor } = good;
  return {
    id: ledger.newId('evt'),
    number: ledger.nextNumber('events'),
    type: input.type,
    participantId: participant.id,
    actorParticipantId: actor?.id ?? null,
    sourceNamespaceId: input.sourceNamespaceId,
    sourceEventId: input.sourceEventId,
    occurredAt,
    receivedAt: ledger.now,
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
}

/** Decides a purchase, unless it waits for a fact that has not arrived yet. */
function takePurchase(ledger: Ledger, event: TrackedEvent): TrackedEvent {
  addAmounts(ledger, event);
  applyEarly(ledger, event);
  const isDuplicate = (purchaseOf(ledger.view, event)?.duplicateOf ?? null) !== null;
  if (isDuplicate || !isWaiting(ledger.view, event)) return decidePurchase(ledger, event);
  return {
    ...event,
    nextAttemptAt: addMs(ledger.now, PURCHASE_WAIT_MS),
    explanation: { candidates: [], rules: earnAtReceipt(ledger, event) },
  };
}

/** The amounts of a purchase, if it has any; a second Event about an invoice points to the first. */
function addAmounts(ledger: Ledger, event: TrackedEvent): void {
  const facts = event.facts.purchase;
  if (!facts) return;
  const { participantId } = event;
  const first =
    facts.invoiceId === null
      ? undefined
      : ledger.view.invoices.get(invoiceKey({ ...facts, participantId }));
  // Each field by its name: spreading takes several times as long.
  const purchase: Purchase = {
    amountMinor: facts.amountMinor,
    currency: facts.currency,
    currencyExponent: facts.currencyExponent,
    taxAmountMinor: facts.taxAmountMinor,
    orderId: facts.orderId,
    invoiceId: facts.invoiceId,
    subscriptionId: facts.subscriptionId,
    billingReason: facts.billingReason,
    id: ledger.newId('pur'),
    eventId: event.id,
    participantId,
    duplicateOf: first ?? null,
    loyaltyProgramIds: [],
    receivedAt: event.receivedAt,
    refundedMinor: 0n,
    disputedMinor: 0n,
  };
  ledger.addPurchase(purchase, event);
}
