import Type, { type Static } from 'typebox';
import { ParticipantRef } from '../../../../domain/participants/schema.ts';
import { Closed, InstantOut, Nullable, OneOf } from '../../../../platform/kit/schema.ts';
import { PARKED_REASONS } from './parked.ts';

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
