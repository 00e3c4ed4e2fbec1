import type Stripe from 'stripe';
import { toInstant } from '../../../../platform/kit/instant.ts';
import { fromStripeAmount, isKnownCurrency } from './currencies.ts';
import { amountsOf } from './invoice-amounts.ts';
import { mapSubscription } from './map-subscription.ts';
import {
  type IgnoredReason,
  idOf,
  type ReversalKind,
  readParticipant,
  readPayer,
  type StripeFact,
  type StripePurchase,
} from './stripe-fact.ts';

export type Mapped = { readonly fact: StripeFact } | { readonly ignored: IgnoredReason };

/** The types we use: select these when creating the endpoint at Stripe. */
export const EVENT_TYPES = [
  'invoice.paid',
  'invoice_payment.paid',
  'charge.succeeded',
  'refund.created',
  'refund.failed',
  'refund.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.created',
  'customer.updated',
] as const;

const NO_FACT: Mapped = { ignored: 'no_fact' };

function unsupported(currency: string): Mapped {
  return { ignored: isKnownCurrency(currency) ? 'amount_unsupported' : 'currency_unsupported' };
}

/** The keyed hash of a card's fingerprint, which is stored nowhere. */
export type HashCard = (fingerprint: string) => string;

/** Translates an event into a Stripe fact (D-SUB-2). */
export function mapEvent(event: Stripe.Event, hashCard: HashCard): Mapped {
  const occurredAt = toInstant(event.created * 1_000);
  switch (event.type) {
    case 'invoice.paid':
      return mapInvoice(event.data.object, occurredAt);
    case 'invoice_payment.paid':
      return mapPayment(event.data.object);
    case 'charge.succeeded':
      return mapCharge(event.data.object, occurredAt, hashCard);
    case 'refund.created':
      return mapReversal('refund', event.data.object, toInstant(event.data.object.created * 1_000));
    case 'refund.failed':
      return { fact: restoration('refund', event.data.object.id, occurredAt) };
    case 'refund.updated':
      // A canceled refund did not reach the customer either.
      return ['canceled', 'failed'].includes(event.data.object.status ?? '')
        ? { fact: restoration('refund', event.data.object.id, occurredAt) }
        : NO_FACT;
    case 'charge.dispute.funds_withdrawn':
      return mapReversal('dispute', event.data.object, occurredAt);
    case 'charge.dispute.funds_reinstated':
      return { fact: restoration('dispute', event.data.object.id, occurredAt) };
    case 'charge.dispute.closed':
      // A won dispute returns the money by an event of its own.
      return event.data.object.status === 'lost'
        ? { fact: { kind: 'loss', id: event.data.object.id, occurredAt } }
        : NO_FACT;
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted': {
      const fact = mapSubscription(event);
      return fact ? { fact } : NO_FACT;
    }
    case 'customer.created':
    case 'customer.updated': {
      const { id: customerId, metadata } = event.data.object;
      const participant = readParticipant(metadata);
      return participant ? { fact: { kind: 'customer', customerId, participant } } : NO_FACT;
    }
    default:
      return { ignored: 'other_type' };
  }
}

function mapInvoice(invoice: Stripe.Invoice, eventAt: string): Mapped {
  const amounts = amountsOf(invoice);
  if (!amounts) return unsupported(invoice.currency);
  const subscription = invoice.parent?.subscription_details;
  const paidAt = invoice.status_transitions.paid_at;
  return {
    fact: {
      kind: 'purchase',
      invoiceId: invoice.id,
      payer: readPayer(invoice.customer, invoice.metadata, subscription?.metadata),
      paidMinor: amounts.paidMinor.toString(),
      chargedMinor: amounts.chargedMinor.toString(),
      netMinor: amounts.netMinor.toString(),
      currency: invoice.currency.toUpperCase(),
      subscriptionId: idOf(subscription?.subscription),
      billingReason: billingReasonOf(invoice),
      occurredAt: paidAt === null ? eventAt : toInstant(paidAt * 1_000),
    },
  };
}

const BILLING_REASONS: Readonly<Record<string, StripePurchase['billingReason']>> = {
  subscription_create: 'subscription_create',
  subscription_cycle: 'subscription_cycle',
  subscription_threshold: 'subscription_cycle',
  subscription_update: 'subscription_update',
};

function billingReasonOf(invoice: Stripe.Invoice): StripePurchase['billingReason'] {
  const known = BILLING_REASONS[invoice.billing_reason ?? ''];
  return known ?? (invoice.parent?.subscription_details ? null : 'one_time');
}

function mapPayment({ invoice, payment }: Stripe.InvoicePayment): Mapped {
  const paymentId = idOf(payment.payment_intent) ?? idOf(payment.charge);
  const invoiceId = idOf(invoice);
  // A payment record stands for a payment made elsewhere, which is refunded there.
  if (paymentId === null || invoiceId === null) return NO_FACT;
  return { fact: { kind: 'payment', paymentId, invoiceId } };
}

function mapCharge(charge: Stripe.Charge, occurredAt: string, hashCard: HashCard): Mapped {
  const fingerprint = charge.payment_method_details?.card?.fingerprint ?? null;
  const payer = readPayer(charge.customer, charge.metadata);
  if (fingerprint === null || (payer.customerId === null && !payer.participant)) return NO_FACT;
  const cardHash = hashCard(fingerprint);
  return { fact: { kind: 'card', chargeId: charge.id, payer, cardHash, occurredAt } };
}

function mapReversal(
  reversal: ReversalKind,
  object: Stripe.Refund | Stripe.Dispute,
  occurredAt: string,
): Mapped {
  const paidMinor = fromStripeAmount(object.amount, object.currency);
  if (paidMinor === undefined) return unsupported(object.currency);
  const paymentId = idOf(object.payment_intent) ?? idOf(object.charge);
  // A refund without a payment comes from the customer's balance and reverses no purchase.
  if (paymentId === null) return NO_FACT;
  return {
    fact: {
      kind: 'reversal',
      reversal,
      id: object.id,
      paymentId,
      paidMinor: paidMinor.toString(),
      currency: object.currency.toUpperCase(),
      occurredAt,
    },
  };
}

function restoration(reversal: ReversalKind, id: string, occurredAt: string): StripeFact {
  return { kind: 'restoration', reversal, id, occurredAt };
}
