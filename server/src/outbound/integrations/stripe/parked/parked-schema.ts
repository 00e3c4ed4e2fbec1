import Type, { type Static } from 'typebox';
import { ParticipantRef } from '../../../../domain/participants/schema.ts';
import { Closed, InstantOut, Nullable, OneOf } from '../../../../platform/kit/schema.ts';
import type { StripeFact } from '../events/stripe-fact.ts';
import { PARKED_REASONS, type ParkedRow } from './parked.ts';

export const StripeParked = Type.Object(
  {
    id: Type.String(),
    projectId: Type.String(),
    connectionId: Type.String(),
    stripeEventId: Type.String(),
    type: Type.String({ description: 'Stripe’s type of the event.' }),
    reason: OneOf(PARKED_REASONS, {
      description:
        '`unknown_customer`: no participant has this billingId. `unknown_payment`, `invoice_not_paid`, `reversal_unknown`: an event that it refers to has not arrived. `exceeds_purchase`: more than was paid, until Stripe reports that an earlier refund failed.',
    }),
    customerId: Nullable(Type.String()),
    objectId: Type.String({ description: 'The invoice, refund, dispute or subscription.' }),
    amountMinor: Nullable(Type.String({ description: 'The amount with tax.' })),
    currency: Nullable(Type.String()),
    occurredAt: Nullable(InstantOut),
    parkedAt: InstantOut,
  },
  { title: 'StripeParkedEvent' },
);
export type StripeParked = Static<typeof StripeParked>;

export const ResolveParked = Closed({ participant: ParticipantRef });

export function toParked(row: ParkedRow): StripeParked {
  const { id, projectId, connectionId, eventId, type, reason, fact, parkedAt } = row;
  const amounts = 'paidMinor' in fact ? fact : null;
  return {
    id,
    projectId,
    connectionId,
    stripeEventId: eventId,
    type,
    reason,
    customerId: customerOf(fact),
    objectId: objectOf(fact),
    amountMinor: amounts?.paidMinor ?? null,
    currency: amounts?.currency ?? null,
    occurredAt: occurredAtOf(fact),
    parkedAt,
  };
}

function customerOf(event: StripeFact): string | null {
  if (event.kind === 'customer') return event.customerId;
  return 'payer' in event ? event.payer.customerId : null;
}

function objectOf(event: StripeFact): string {
  switch (event.kind) {
    case 'purchase':
    case 'payment':
      return event.invoiceId;
    case 'subscription':
      return event.fact.subscriptionId;
    case 'customer':
      return event.customerId;
    case 'card':
      return event.chargeId;
    case 'reversal':
    case 'restoration':
    case 'loss':
      return event.id;
  }
}

function occurredAtOf(event: StripeFact): string | null {
  if (event.kind === 'subscription') return event.fact.occurredAt;
  return 'occurredAt' in event ? event.occurredAt : null;
}
