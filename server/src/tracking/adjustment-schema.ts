import Type, { type Static } from 'typebox';
import { POSITIVE_MINOR_PATTERN } from '../kit/money.ts';
import { Closed, InstantIn, OneOf, Opt, Text } from '../kit/schema.ts';
import { RewardAdjustment } from '../rewards/schema.ts';

export const ADJUSTMENT_KINDS = ['refund', 'dispute', 'restoration'] as const;
export type AdjustmentKind = (typeof ADJUSTMENT_KINDS)[number];

export const TrackAdjustment = Closed({
  sourceNamespaceId: Text(1, 512, 'The id that registering the source returned.'),
  sourceEventId: Text(1, 255, 'Your id of this fact.'),
  purchase: Closed({
    sourceNamespaceId: Opt(Text(1, 512, 'The source of the purchase, if it is another.')),
    sourceEventId: Text(1, 255, 'Your id of the purchase.'),
  }),
  kind: OneOf(ADJUSTMENT_KINDS, {
    description:
      'A dispute that you win is followed by a restoration; one that you lose, by nothing.',
  }),
  amountMinor: Type.String({
    pattern: POSITIVE_MINOR_PATTERN,
    description: 'Above zero, without tax.',
  }),
  currency: Type.String({ pattern: '^[A-Za-z]{3}$' }),
  currencyExponent: Type.Integer({ minimum: 0, maximum: 4 }),
  occurredAt: InstantIn,
  restores: Opt(
    Text(
      1,
      255,
      'Of a restoration: your id of the refund or dispute that is undone, or part of it.',
    ),
  ),
});
export type TrackAdjustment = Static<typeof TrackAdjustment>;

export const AdjustmentAnswer = Type.Object(
  {
    success: Type.Literal(true),
    purchaseAdjustmentId: Type.String(),
    purchaseId: Type.String(),
    rewardAdjustments: Type.Array(RewardAdjustment),
  },
  { title: 'AdjustmentAnswer' },
);
export type AdjustmentAnswer = Static<typeof AdjustmentAnswer>;
