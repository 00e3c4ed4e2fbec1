import Type, { type Static } from 'typebox';
import { cursorQuery } from '../../platform/http/routes/paging.ts';
import { Nullable, OneOf } from '../../platform/kit/schema.ts';
import { VERDICTS } from './compare.ts';

const method = Type.String({
  description: '`paypal`, `wise`, `stripe_connect`, `stripe_balance` …',
});
const currency = Nullable(
  Type.String({
    description: 'Null for discounts. The amount of a discount is 1 if it exists and 0 if not.',
  }),
);

const Total = Type.Object(
  {
    method,
    currency,
    compared: Type.Integer(),
    differing: Type.Integer(),
    unanswered: Type.Integer(),
    believedMinor: Type.String({ description: 'Sum of the items that the provider answered for.' }),
    reportedMinor: Type.String(),
    driftMinor: Type.String({ description: '`reportedMinor` minus `believedMinor`.' }),
  },
  { title: 'ReconciliationTotal' },
);

const Item = Type.Object(
  {
    method,
    subject: OneOf(['reward', 'payout']),
    id: Type.String({ description: 'Id of the Reward or of the payout.' }),
    currency,
    believedMinor: Type.String({
      description:
        'The delivered amount according to the service. For a payout, the whole transfer.',
    }),
    reportedMinor: Nullable(
      Type.String({
        description: 'The amount according to the provider. Null if the provider gives no answer.',
      }),
    ),
    driftMinor: Nullable(Type.String()),
    verdict: OneOf(VERDICTS),
  },
  { title: 'ReconciliationItem' },
);

export const Reconciliation = Type.Object({
  success: Type.Literal(true),
  totals: Type.Array(Total, { description: 'Totals of this page, by method and currency.' }),
  data: Type.Array(Item),
  nextCursor: Nullable(Type.String()),
});
export type Reconciliation = Static<typeof Reconciliation>;

export const ReconciliationQuery = Type.Object(cursorQuery);
export type ReconciliationQuery = Static<typeof ReconciliationQuery>;
