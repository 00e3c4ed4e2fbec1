import Type, { type Static } from 'typebox';
import { POSITIVE_MINOR_PATTERN } from '../../platform/kit/money.ts';
import {
  Closed,
  InstantIn,
  InstantOut,
  Nullable,
  OneOf,
  Opt,
  Text,
} from '../../platform/kit/schema.ts';
import { ATTRIBUTION_REASONS } from '../attribution/decide-attribution.ts';
import { ParticipantRef } from '../participants/schema.ts';
import { RewardAdjustment } from '../rewards/schema.ts';
import { TrackAnswer } from './event-schema.ts';
import { Candidate } from './read/explanation.ts';

const ADJUSTMENT_KINDS = ['refund', 'dispute', 'dispute_lost', 'restoration'] as const;
export type AdjustmentKind = (typeof ADJUSTMENT_KINDS)[number];

export const TrackAdjustment = Closed({
  sourceNamespaceId: Text(1, 512, 'The id that was returned when you registered the source.'),
  sourceEventId: Text(1, 255, 'Your id of this fact.'),
  purchase: Closed({
    sourceNamespaceId: Opt(
      Text(1, 512, 'The source of the purchase, if it differs from the source of this fact.'),
    ),
    sourceEventId: Text(1, 255, 'Your id of the purchase.'),
  }),
  kind: OneOf(ADJUSTMENT_KINDS, {
    description:
      'To end a dispute, report `restoration` if you won it and `dispute_lost` if you lost it.',
  }),
  amountMinor: Opt(
    Type.String({
      pattern: POSITIVE_MINOR_PATTERN,
      description:
        'Greater than zero, without tax. Required, except for `dispute_lost`, which has no amount.',
    }),
  ),
  currency: Opt(
    Type.String({ pattern: '^[A-Za-z]{3}$', description: 'Required with `amountMinor`.' }),
  ),
  currencyExponent: Opt(
    Type.Integer({ minimum: 0, maximum: 4, description: 'Required with `amountMinor`.' }),
  ),
  occurredAt: InstantIn,
  restores: Opt(
    Text(
      1,
      255,
      'Only for a restoration: your id of the refund or dispute that is fully or partly undone.',
    ),
  ),
  closes: Opt(Text(1, 255, 'Only for `dispute_lost`: your id of the dispute that was lost.')),
});
export type TrackAdjustment = Static<typeof TrackAdjustment>;

export const AdjustmentAnswer = Type.Object(
  {
    success: Type.Literal(true),
    purchaseAdjustmentId: Type.String(),
    purchaseId: Nullable(
      Type.String({
        description: 'Null while the adjustment waits for its purchase to be reported.',
      }),
    ),
    rewardAdjustments: Type.Array(RewardAdjustment),
  },
  { title: 'AdjustmentAnswer' },
);
export type AdjustmentAnswer = Static<typeof AdjustmentAnswer>;

export const SUBSCRIPTION_CHANGES = [
  'started',
  'renewed',
  'changed',
  'cancelled',
  'ended',
] as const;

export const TrackSubscription = Closed({
  sourceNamespaceId: Text(1, 512, 'The id that was returned when you registered the source.'),
  sourceEventId: Text(1, 255, 'Your id of this fact.'),
  participant: ParticipantRef,
  subscriptionId: Text(1, 255),
  change: OneOf(SUBSCRIPTION_CHANGES),
  planKey: Opt(Text(1, 255)),
  periodStart: Opt(InstantIn),
  periodEnd: Opt(InstantIn),
  occurredAt: InstantIn,
});
export type TrackSubscription = Static<typeof TrackSubscription>;

export const SubscriptionFact = Type.Object(
  {
    id: Type.String(),
    projectId: Type.String(),
    participantId: Type.String(),
    sourceNamespaceId: Type.String(),
    sourceEventId: Type.String(),
    subscriptionId: Type.String(),
    change: OneOf(SUBSCRIPTION_CHANGES),
    planKey: Nullable(Type.String()),
    periodStart: Nullable(InstantOut),
    periodEnd: Nullable(InstantOut),
    occurredAt: InstantOut,
    receivedAt: InstantOut,
    factsHash: Type.String(),
    reason: OneOf(ATTRIBUTION_REASONS, {
      description:
        '`attributed` if it bound a Referral, `not_applicable` if it cannot bind one. Otherwise why no candidate was chosen.',
    }),
    candidates: Type.Array(Candidate, {
      description: 'The candidates that were considered, with the verdict on each.',
    }),
  },
  { title: 'SubscriptionFact' },
);
export type SubscriptionFact = Static<typeof SubscriptionFact>;

export const SubscriptionAnswer = Type.Object(
  {
    success: Type.Literal(true),
    data: SubscriptionFact,
    attribution: TrackAnswer.properties.attribution,
  },
  { title: 'SubscriptionAnswer' },
);
export type SubscriptionAnswer = Static<typeof SubscriptionAnswer>;
