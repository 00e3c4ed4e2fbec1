import Type, { type Static } from 'typebox';
import { cursorQuery } from '../../platform/http/routes/paging.ts';
import { Nullable, OneOf } from '../../platform/kit/schema.ts';
import { VERDICTS } from './compare.ts';

const method = Type.String({
  description: '`paypal`, `wise`, `stripe_connect`, `stripe_balance` …',
});
const currency = Nullable(
  Type.String({
    description: 'Null of discounts: their amounts are 1 for one that is there, and 0 for none.',
  }),
);

const Total = Type.Object(
  {
    method,
    currency,
    compared: Type.Integer(),
    differing: Type.Integer(),
    unanswered: Type.Integer(),
    believedMinor: Type.String({ description: 'Of those that the provider answered for.' }),
    reportedMinor: Type.String(),
    driftMinor: Type.String({ description: 'Reported less believed.' }),
  },
  { title: 'ReconciliationTotal' },
);

const Item = Type.Object(
  {
    method,
    subject: OneOf(['reward', 'payout']),
    id: Type.String({ description: 'Of the Reward, or of the payout.' }),
    currency,
    believedMinor: Type.String({
      description:
        'What was delivered as far as the service knows; of a payout the whole transfer.',
    }),
    reportedMinor: Nullable(
      Type.String({
        description: 'What the provider has in its books; null if it cannot be asked.',
      }),
    ),
    driftMinor: Nullable(Type.String()),
    verdict: OneOf(VERDICTS),
  },
  { title: 'ReconciliationItem' },
);

export const Reconciliation = Type.Object({
  success: Type.Literal(true),
  totals: Type.Array(Total, { description: 'Of this page, by method and currency.' }),
  data: Type.Array(Item),
  nextCursor: Nullable(Type.String()),
});
export type Reconciliation = Static<typeof Reconciliation>;

export const ReconciliationQuery = Type.Object(cursorQuery);
export type ReconciliationQuery = Static<typeof ReconciliationQuery>;
