import type { StripeFact } from '../events/stripe-fact.ts';
import type { ParkedRow } from './parked.ts';
import type { StripeParked } from './parked-schema.ts';

export function toParked(row: ParkedRow): StripeParked {
  const { id, projectId, connectionId, eventId, type, reason, told, parkedAt } = row;
  const amounts = 'paidMinor' in told ? told : null;
  return {
    id,
    projectId,
    connectionId,
    stripeEventId: eventId,
    type,
    reason,
    customerId: customerOf(told),
    objectId: objectOf(told),
    amountMinor: amounts?.paidMinor ?? null,
    currency: amounts?.currency ?? null,
    occurredAt: occurredAtOf(told),
    parkedAt,
  };
}

function customerOf(told: StripeFact): string | null {
  if (told.kind === 'customer') return told.customerId;
  return 'payer' in told ? told.payer.customerId : null;
}

function objectOf(told: StripeFact): string {
  switch (told.kind) {
    case 'purchase':
    case 'payment':
      return told.invoiceId;
    case 'subscription':
      return told.fact.subscriptionId;
    case 'customer':
      return told.customerId;
    case 'reversal':
    case 'restoration':
    case 'loss':
      return told.id;
  }
}

function occurredAtOf(told: StripeFact): string | null {
  if (told.kind === 'subscription') return told.fact.occurredAt;
  return 'occurredAt' in told ? told.occurredAt : null;
}
