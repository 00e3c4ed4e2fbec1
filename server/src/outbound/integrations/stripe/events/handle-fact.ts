import { refKey } from '../../../../domain/participants/participant-slice.ts';
import type { ParticipantRef } from '../../../../domain/participants/schema.ts';
import { applyUpserts } from '../../../../domain/participants/upsert-participant.ts';
import { loadParticipants } from '../../../../domain/participants/write-participants.ts';
import type { TrackCommand } from '../../../../domain/tracking/batch/needs.ts';
import { takeFacts } from '../../../../domain/tracking/batch/track-event.ts';
import { normalizeSubscription } from '../../../../domain/tracking/intake/normalize-billing.ts';
import { normalizeEvent } from '../../../../domain/tracking/intake/normalize-event.ts';
import { findPurchase } from '../../../../domain/tracking/queries.ts';
import type { ProjectWrite } from '../../../../platform/feed/writer/project-write.ts';
import { listAccounts } from '../../../payouts/details/account-queries.ts';
import { waits } from '../parked/parked.ts';
import type { StripeDeps } from '../stripe-deps.ts';
import { findPerson } from './find-person.ts';
import { handleCard, recordParkedCards } from './handle-card.ts';
import { handleLoss, handleRestoration, handleReversal } from './handle-reversal.ts';
import { type Handled, type Handling, judgeRefusal } from './handled.ts';
import { findInvoice, insertInvoice, insertPayment } from './ledger-store.ts';
import type {
  Payer,
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

/** Tracks a fact about the participant that it concerns, which may make their customer known. */
async function trackFor(
  handling: Handling,
  payer: Payer,
  occurredAt: string,
  toCommand: (participant: ParticipantRef) => TrackCommand,
): Promise<Handled> {
  const { deps, write, person } = handling;
  const found = person ? { person } : await findPerson(write, deps.keyring, payer);
  if ('handled' in found) return found.handled;
  const [outcome] = await takeFacts(write, { ...deps, listAccounts }, [toCommand(found.person)]);
  if (outcome && 'refused' in outcome) return judgeRefusal(outcome.refused, occurredAt, write.now);
  await recordParkedCards(handling, payer);
  return { state: 'done', wakes: [] };
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
