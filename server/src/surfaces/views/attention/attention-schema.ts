import Type, { type Static } from 'typebox';
import { Nullable, OneOf } from '../../../platform/kit/schema.ts';

const ATTENTION_KINDS = [
  'rewards_to_grant',
  'rewards_to_take_back',
  'rewards_failed',
  'payout_batches_to_approve',
  'payout_batches_to_submit',
  'payouts_unanswered',
  'partner_applications',
  'webhook_deliveries_failed',
  'webhook_deliveries_retrying',
  'stripe_events_parked',
  'events_failed',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

export const Attention = Type.Object(
  {
    kind: OneOf(ATTENTION_KINDS),
    count: Type.Integer({ minimum: 1, maximum: 100 }),
    isMore: Type.Boolean({ description: 'Whether there are more than `count`.' }),
    list: Type.Object(
      {
        path: Type.String({ description: 'The route that lists them, with ids filled in.' }),
        query: Type.Record(Type.String(), Type.String(), {
          description:
            'The query parameters that select exactly these items, in addition to `projectId`.',
        }),
      },
      { title: 'AttentionList' },
    ),
    endpoint: Nullable(
      Type.Object(
        { id: Type.String(), url: Type.String() },
        { title: 'AttentionEndpoint', description: 'The webhook endpoint concerned.' },
      ),
    ),
  },
  { title: 'Attention' },
);
export type Attention = Static<typeof Attention>;
