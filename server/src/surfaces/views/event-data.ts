import Type, { type TObject } from 'typebox';
import { PARTICIPANT_KINDS } from '../../domain/participants/schema.ts';
import { RISK_SIGNALS } from '../../domain/programs/policies/risk-policy.ts';
import { Reward } from '../../domain/rewards/schema.ts';
import { REVIEW_STATUSES } from '../../domain/risk/schema.ts';
import { CREDIT_REASONS } from '../../domain/tracking/event-schema.ts';
import { FAILURE_REASONS, PAYOUT_METHODS } from '../../outbound/payouts/methods.ts';
import type { FeedEventType } from '../../platform/feed/writer/project-write.ts';
import { InstantOut, Nullable, OneOf } from '../../platform/kit/schema.ts';

const MINOR = 'Amount in minor units of the currency.';
const Minor = Type.String({ description: MINOR });

const Party = Type.Object(
  {
    participantId: Type.String(),
    kind: OneOf(PARTICIPANT_KINDS),
    externalId: Nullable(
      Type.String({ description: 'Your id. Null for a partner and for an erased participant.' }),
    ),
  },
  { title: 'Party' },
);

const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

const Referral = Type.Object(
  {
    id: Type.String(),
    programId: Type.String(),
    referrer: Party,
    referee: Party,
    bindingEventId: Nullable(Type.String({ description: 'The Event that bound it.' })),
    bindingSubscriptionFactId: Nullable(
      Type.String({ description: 'Or the subscription fact that bound it.' }),
    ),
    boundAt: InstantOut,
  },
  { title: 'EventReferral' },
);

const Event = Type.Object(
  {
    id: Type.String(),
    type: Type.String({
      description: '`signup`, `purchase` or a type that starts with `custom_`.',
    }),
    participant: Party,
    actor: Nullable(Party),
    sourceNamespaceId: Type.String(),
    sourceEventId: Type.String({
      description:
        'Your id of the fact; `signup:<participantId>` for a signup that was sent without an id.',
    }),
    occurredAt: InstantOut,
    receivedAt: InstantOut,
    purchase: Nullable(
      Type.Object({
        purchaseId: Type.String(),
        amountMinor: Minor,
        taxAmountMinor: Nullable(Minor),
        currency: Type.String(),
        currencyExponent: Type.Integer(),
        orderId: Nullable(Type.String()),
        invoiceId: Nullable(Type.String()),
        subscriptionId: Nullable(Type.String()),
      }),
    ),
    properties: Type.Record(Type.String(), Scalar, {
      description: 'The properties you sent. Empty after the participant was erased.',
    }),
  },
  { title: 'RecordedEvent' },
);

const Attribution = Type.Object(
  {
    status: OneOf(['attributed', 'not_attributed']),
    reason: OneOf(CREDIT_REASONS, {
      description: 'Same values as `processingReason` of the Event.',
    }),
    referralId: Nullable(Type.String()),
    programId: Nullable(Type.String()),
    referrer: Nullable(Party),
    touchId: Nullable(Type.String()),
    policyVersionId: Nullable(Type.String()),
  },
  { title: 'EventAttribution' },
);

const Payout = Type.Object(
  {
    id: Type.String(),
    batchId: Type.String(),
    status: OneOf(['paid', 'failed', 'returned']),
    method: OneOf(PAYOUT_METHODS),
    currency: Type.String(),
    currencyExponent: Type.Integer(),
    amountMinor: Type.String({
      description: 'The part of the transfer that belongs to this Project.',
    }),
    rewards: Type.Array(
      Type.Object({ rewardId: Type.String(), beneficiary: Party, amountMinor: Minor }),
      { description: 'The Rewards of this Project.' },
    ),
    providerReference: Nullable(Type.String()),
    createdAt: InstantOut,
    paidAt: Nullable(InstantOut),
    failureReason: Nullable(OneOf(FAILURE_REASONS)),
    failureMessage: Nullable(Type.String()),
  },
  { title: 'EventPayout' },
);

const Review = Type.Object(
  {
    id: Type.String(),
    programId: Type.String(),
    referralId: Type.String(),
    referrer: Party,
    referee: Party,
    status: OneOf(REVIEW_STATUSES),
    score: Type.Integer(),
    signals: Type.Array(OneOf(RISK_SIGNALS), { description: 'The signals that fired.' }),
    openedAt: InstantOut,
    decidedAt: Nullable(InstantOut),
  },
  { title: 'EventReview' },
);

/**
 * The schema of `data` in the newest version, by type of event. The tests check events against it.
 */
export const EVENT_DATA: Readonly<Record<FeedEventType, TObject>> = {
  'participant.created': Type.Object({ participant: Party }),
  'referral.created': Type.Object({ referral: Referral }),
  'event.recorded': Type.Object({ event: Event, attribution: Nullable(Attribution) }),
  'reward.earned': Type.Object({ reward: Reward }),
  'reward.voided': Type.Object({ reward: Reward }),
  'reward.restored': Type.Object({ reward: Reward }),
  'reward.fulfilled': Type.Object({ reward: Reward }),
  'reward.revoked': Type.Object({ reward: Reward }),
  'payout.paid': Type.Object({ payout: Payout }),
  'payout.failed': Type.Object({ payout: Payout }),
  'payout.returned': Type.Object({ payout: Payout }),
  'risk.review_opened': Type.Object({ review: Review }),
  'risk.review_decided': Type.Object({ review: Review }),
};
