import Type, { type Static } from 'typebox';
import { POSITIVE_MINOR_PATTERN } from '../../platform/kit/money.ts';
import { Closed, InstantIn, Nullable, OneOf, Opt, Text } from '../../platform/kit/schema.ts';
import { RewardAdjustment } from '../rewards/schema.ts';

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
