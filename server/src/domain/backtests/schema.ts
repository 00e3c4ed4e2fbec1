import Type, { type Static, type TNull, type TSchema, type TUnion } from 'typebox';
import { cursorQuery } from '../../platform/http/routes/paging.ts';
import {
  Closed,
  IdText,
  InstantIn,
  InstantOut,
  Nullable,
  OneOf,
} from '../../platform/kit/schema.ts';
import { PROCESSING_REASONS } from '../tracking/event-schema.ts';
import { Explanation } from '../tracking/read/explanation.ts';

const BACKTEST_STATUSES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type BacktestStatus = (typeof BACKTEST_STATUSES)[number];
const VALUE_KINDS = ['money', 'unit', 'discount'] as const;

const Minor = Type.String({ description: 'Minor units, as a decimal string.' });

export const CreateBacktest = Closed({
  programId: IdText('The Program whose terms and policies are tried.'),
  from: InstantIn,
  to: InstantIn,
  definition: Type.Optional(
    Type.Unknown({
      description:
        'A program definition, as an object, YAML or JSON, as of `GET /v1/programs/{programId}/definition`. Its rules, attribution policy and risk policy are tried; the rest decides nothing here. What it leaves out is as in force now. Default: what was in force at each time, which differs in nothing.',
    }),
  ),
  prune: Type.Optional(
    Type.Boolean({
      description:
        'Whether rules that the definition lacks give nothing. The definition must have `rules` then.',
    }),
  ),
});
export type CreateBacktest = Static<typeof CreateBacktest>;

const MoneyTotal = Type.Object({
  currency: Type.String(),
  actualMinor: Minor,
  proposedMinor: Minor,
});
const UnitTotal = Type.Object({
  unitId: Type.String({
    description: '`new:` and its key for a unit that the Project does not have.',
  }),
  name: Type.String(),
  actual: Type.String(),
  proposed: Type.String(),
});
const DiscountTotal = Type.Object({ actual: Type.String(), proposed: Type.String() });

/** What was given, and what would have been given. */
const GivenTotals = {
  totals: Type.Array(MoneyTotal, { description: 'Net amounts, after refunds and voids.' }),
  units: Type.Array(UnitTotal),
  discounts: Type.Union([DiscountTotal, Type.Null()], { description: 'Number of discounts.' }),
};

const Who = Type.Object({
  participantId: Type.String(),
  kind: OneOf(['individual', 'group']),
  externalId: Nullable(Type.String()),
});

const Beneficiary = Type.Object({
  participant: Who,
  currency: Type.String(),
  actualMinor: Minor,
  proposedMinor: Minor,
});

const ReviewOf = Type.Object({
  eventId: Type.String(),
  referrer: Who,
  referee: Who,
  score: Type.Integer(),
});

const RESULT = {
  ...GivenTotals,
  otherPrograms: Type.Array(MoneyTotal, {
    description: 'The same of the Project’s other Programs, to which referrals may move.',
  }),
  byRule: Type.Array(
    Type.Object({
      ruleId: Type.String({
        description: '`new:` and its key for a rule of the definition alone.',
      }),
      programId: Type.String(),
      name: Type.String(),
      ...GivenTotals,
    }),
  ),
  byBeneficiary: Type.Object(
    { up: Type.Array(Beneficiary), down: Type.Array(Beneficiary) },
    { description: 'The 50 who would have earned most more, and most less.' },
  ),
  byDay: Type.Array(Type.Object({ day: Type.String(), totals: Type.Array(MoneyTotal) }), {
    description: 'By the day on which the Event occurred.',
  }),
  reviews: Type.Object(
    {
      actual: Type.Integer(),
      proposed: Type.Integer(),
      added: Type.Array(ReviewOf),
      removed: Type.Array(ReviewOf),
    },
    { description: 'Reviews that were opened, and that would have been; 50 of each difference.' },
  ),
  referrals: Type.Object({ actual: Type.Integer(), proposed: Type.Integer() }),
  events: Type.Object({
    compared: Type.Integer(),
    notReproduced: Type.Integer({
      description:
        'Events that could not be decided again as they were, because something they depended on is no longer stored. They count as they were decided.',
    }),
    different: Type.Integer({ description: 'Events that would have been worth something else.' }),
    listed: Type.Integer({ description: 'How many of them are listed as differences.' }),
  }),
};
const BacktestResult = Type.Object(RESULT);
export type BacktestResult = Static<typeof BacktestResult>;

type UntilDone<R> = { [K in keyof R]: R[K] extends TSchema ? TUnion<[R[K], TNull]> : never };

function untilDone<R extends Record<string, TSchema>>(result: R): UntilDone<R> {
  return Object.fromEntries(
    Object.entries(result).map(([name, schema]) => [name, Type.Union([schema, Type.Null()])]),
  ) as UntilDone<R>;
}

export const Backtest = Type.Object(
  {
    id: Type.String(),
    projectId: Type.String(),
    programId: Type.String(),
    from: InstantOut,
    to: InstantOut,
    status: OneOf(BACKTEST_STATUSES),
    progress: Type.Object({
      done: Type.Integer({ description: 'Events that were replayed.' }),
      all: Nullable(Type.Integer()),
    }),
    failure: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed.' }),
    createdAt: InstantOut,
    createdBy: Type.String(),
    startedAt: Nullable(InstantOut),
    finishedAt: Nullable(InstantOut),
  },
  { title: 'Backtest' },
);
export type Backtest = Static<typeof Backtest>;

export const BacktestWithResult = Type.Object(
  {
    ...Backtest.properties,
    definition: Type.Unknown({ description: 'As it was asked; null for what was in force.' }),
    ...untilDone(RESULT),
  },
  { title: 'BacktestWithResult', description: 'What it found is null until it is done.' },
);
export type BacktestWithResult = Static<typeof BacktestWithResult>;

export const ListBacktests = Type.Object(cursorQuery);

const Course = Type.Object({
  reason: OneOf(PROCESSING_REASONS),
  programId: Nullable(Type.String()),
  referrer: Type.Union([Who, Type.Null()], { description: 'Who was credited.' }),
  explanation: Explanation,
});

export const Difference = Type.Object(
  {
    eventId: Type.String(),
    occurredAt: InstantOut,
    lines: Type.Array(
      Type.Object({
        ruleId: Type.String(),
        beneficiary: Who,
        kind: OneOf(VALUE_KINDS),
        code: Type.String({ description: 'The currency or the unit; empty for discounts.' }),
        actual: Type.String({ description: 'Minor units, a quantity, or a number of discounts.' }),
        proposed: Type.String(),
      }),
    ),
    actual: Type.Union([Course, Type.Null()]),
    proposed: Type.Union([Course, Type.Null()]),
  },
  { title: 'BacktestDifference' },
);
export type Difference = Static<typeof Difference>;
