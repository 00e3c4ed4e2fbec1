import { refKey } from '../../../../domain/participants/participant-slice.ts';
import { findBilled } from '../../../../domain/participants/queries.ts';
import type { ParticipantRef } from '../../../../domain/participants/schema.ts';
import { applyUpserts } from '../../../../domain/participants/upsert-participant.ts';
import { loadParticipants } from '../../../../domain/participants/write-participants.ts';
import { recordCard } from '../../../../domain/risk/cards/record-card.ts';
import type { TrackCommand } from '../../../../domain/tracking/batch/needs.ts';
import { takeFacts } from '../../../../domain/tracking/batch/track-event.ts';
import { normalizeSubscription } from '../../../../domain/tracking/intake/normalize-billing.ts';
import { normalizeEvent } from '../../../../domain/tracking/intake/normalize-event.ts';
import { findPurchase } from '../../../../domain/tracking/queries.ts';
import type { ProjectWrite } from '../../../../platform/feed/writer/project-write.ts';
import type { Keyring } from '../../../../platform/kit/keyring.ts';
import { listAccounts } from '../../../payouts/details/account-queries.ts';
import { hashCustomer } from '../erase-customer.ts';
import { waits } from '../parked/parked.ts';
import type { StripeDeps } from '../stripe-deps.ts';
import { isErasedCustomer } from './event-store.ts';
import { handleLoss, handleRestoration, handleReversal } from './handle-reversal.ts';
import { type Handled, type Handling, judgeRefusal } from './handled.ts';
import { findInvoice, insertInvoice, insertPayment } from './ledger-store.ts';
import type {
  Payer,
  StripeCard,
  StripeCustomer,
  StripeFact,
  StripePurchase,
  StripeSubscription,
} from './stripe-fact.ts';

/**
 * Turns a Stripe fact into facts of the project. Throws what a retry or an operator can resolve,
 * which rolls everything back; see `judgeRefusal`.
 */
export async function handleFact(handling: Handling, fact: StripeFact): Promise<Handled> {
  const { deps, write } = handling;
  switch (fact.kind) {
    case 'purchase':
      return handlePurchase(handling, fact);
    case 'payment':
      insertPayment(write.tx, write.projectId, fact.paymentId, fact.invoiceId);
      return { state: 'done', wakes: [waits.payment(fact.paymentId)] };
    case 'reversal':
      return handleReversal(handling, fact);
    case 'restoration':
      return handleRestoration(handling, fact);
    case 'loss':
      return handleLoss(handling, fact);
    case 'subscription':
      return handleSubscription(handling, fact);
    case 'customer':
      return linkCustomer(deps, write, fact);
    case 'card':
      return handleCard(handling, fact);
  }
}

async function handlePurchase(handling: Handling, purchase: StripePurchase): Promise<Handled> {
  const { tx, projectId } = handling.write;
  const { invoiceId, currency, occurredAt } = purchase;
  if (await findInvoice(tx, projectId, invoiceId)) {
    return { state: 'ignored', reason: 'known_already' };
  }
  const { sourceId } = handling.connection;
  const [paidMinor, netMinor] = [BigInt(purchase.paidMinor), BigInt(purchase.netMinor)];
  const toCommand = (participant: ParticipantRef): TrackCommand => ({
    kind: 'event',
    event: normalizeEvent({
      sourceNamespaceId: sourceId,
      sourceEventId: invoiceId,
      type: 'purchase',
      participant,
      occurredAt,
      purchase: {
        amountMinor: purchase.netMinor,
        taxAmountMinor: (paidMinor - netMinor).toString(),
        currency,
        invoiceId,
        subscriptionId: purchase.subscriptionId,
        billingReason: purchase.billingReason ?? null,
      },
    }),
  });
  const handled = await trackFor(handling, purchase.payer, occurredAt, toCommand);
  if (handled.state !== 'done') return handled;
  const counted = await findPurchase(tx, projectId, {
    sourceNamespaceId: sourceId,
    sourceEventId: invoiceId,
  });
  insertInvoice(tx, projectId, {
    id: invoiceId,
    sourceId,
    currency,
    paidMinor,
    chargedMinor: BigInt(purchase.chargedMinor),
    // Reversals are taken from the counted purchase, in proportion to its amount.
    netMinor: counted?.amountMinor ?? netMinor,
    refundedPaidMinor: 0n,
    refundedNetMinor: 0n,
  });
  return { state: 'done', wakes: [waits.invoice(invoiceId)] };
}

function handleSubscription(handling: Handling, change: StripeSubscription): Promise<Handled> {
  const source = {
    sourceNamespaceId: handling.connection.sourceId,
    sourceEventId: change.changeId,
  };
  return trackFor(handling, change.payer, change.fact.occurredAt, (participant) => ({
    kind: 'subscription',
    subscription: normalizeSubscription({ ...source, ...change.fact, participant }),
  }));
}

/** A card is recorded of people who are known. It makes nobody known. */
async function handleCard(
  { deps, write, person }: Handling,
  { payer, cardHash }: StripeCard,
): Promise<Handled> {
  const found = person ? { person } : await findPerson(write, deps.keyring, payer);
  if ('handled' in found) return found.handled;
  const slice = await loadParticipants(write.tx, deps.keyring, write.projectId, {
    refs: [found.person],
  });
  const key = refKey(found.person);
  const known = slice.byRef.get(key);
  if (!known) {
    const reason = slice.erased.has(key) ? 'participant_deleted' : 'no_fact';
    return { state: 'ignored', reason };
  }
  recordCard(write, known.id, cardHash);
  return { state: 'done', wakes: [] };
}

/** Tracks a fact about the participant that it concerns. */
async function trackFor(
  { deps, write, person }: Handling,
  payer: Payer,
  occurredAt: string,
  toCommand: (participant: ParticipantRef) => TrackCommand,
): Promise<Handled> {
  const found = person ? { person } : await findPerson(write, deps.keyring, payer);
  if ('handled' in found) return found.handled;
  const [outcome] = await takeFacts(write, { ...deps, listAccounts }, [toCommand(found.person)]);
  if (outcome && 'refused' in outcome) return judgeRefusal(outcome.refused, occurredAt, write.now);
  return { state: 'done', wakes: [] };
}

/** The participant that something is about, or what to do if it is about nobody we know. */
async function findPerson(
  { tx, projectId }: ProjectWrite,
  keyring: Keyring,
  { customerId, participant }: Payer,
): Promise<{ readonly person: ParticipantRef } | { readonly handled: Handled }> {
  if (customerId === null) {
    return participant
      ? { person: participant }
      : { handled: { state: 'ignored', reason: 'no_fact' } };
  }
  const billed = await findBilled(tx, projectId, customerId);
  // Facts cannot name a partner.
  if (billed && billed.externalId !== null) {
    return { person: { kind: billed.kind, externalId: billed.externalId } };
  }
  if (participant) return { person: participant };
  if (await isErasedCustomer(tx, projectId, hashCustomer(keyring, projectId, customerId))) {
    return { handled: { state: 'ignored', reason: 'participant_deleted' } };
  }
  const waitsFor = waits.customer(customerId);
  return { handled: { state: 'parked', reason: 'unknown_customer', waitsFor } };
}

/**
 * A customer whose metadata names a participant becomes that participant's billing id, unless they
 * have one already or it belongs to somebody else: a value set by the project's backend takes
 * precedence.
 */
async function linkCustomer(
  deps: Pick<StripeDeps, 'keyring' | 'onBilled'>,
  write: ProjectWrite,
  { customerId, participant }: StripeCustomer,
): Promise<Handled> {
  const slice = await loadParticipants(write.tx, deps.keyring, write.projectId, {
    refs: [participant],
    billingIds: [customerId],
  });
  const known = slice.byRef.get(refKey(participant));
  if (slice.billingHolders.has(customerId) || (known?.billingId ?? null) !== null) {
    return { state: 'ignored', reason: 'known_already' };
  }
  const [outcome] = await applyUpserts(deps, write, [{ participant, billingId: customerId }]);
  if (outcome && 'refused' in outcome) {
    return judgeRefusal(outcome.refused, write.now, write.now);
  }
  return { state: 'done', wakes: [] };
}
