import Type, { type Static } from 'typebox';
import { PARTICIPANT_KINDS } from '../../domain/participants/schema.ts';
import { cursorQuery, orderQuery } from '../../platform/http/routes/paging.ts';
import { ListCount } from '../../platform/http/routes/totals.ts';
import { ACCEPTED_MINOR_PATTERN } from '../../platform/kit/money.ts';
import {
  Closed,
  IdOf,
  InstantIn,
  InstantOut,
  Nullable,
  OneOf,
  Opt,
  ProjectIdText,
  Text,
} from '../../platform/kit/schema.ts';
import { FAILURE_REASONS, PAYOUT_METHODS } from './methods.ts';
import { PEOPLE_SHOWN, WAITING_REASONS } from './overview/decide-overview.ts';
import { BATCH_FAILURES, BATCH_STATUSES, PAYOUT_STATUSES } from './states.ts';

/** A sum, so its length is not limited. */
const SIGNED_PATTERN = '^(0|-?[1-9][0-9]*)$';
const PROJECTS_MAX = 100;
const CURRENCIES_MAX = 200;

const PayoutLine = Type.Object(
  {
    rewardId: Type.String(),
    beneficiary: Type.Object({
      participantId: Type.String(),
      kind: OneOf(PARTICIPANT_KINDS),
      externalId: Nullable(Type.String({ description: 'Null for a partner.' })),
    }),
    amountMinor: Type.String({
      pattern: SIGNED_PATTERN,
      description: 'Negative for a Reward that was paid earlier and is no longer due.',
    }),
  },
  { title: 'PayoutLine' },
);

export const Payout = Type.Object(
  {
    id: Type.String(),
    batchId: Type.String(),
    status: OneOf(PAYOUT_STATUSES),
    method: OneOf(PAYOUT_METHODS),
    currency: Type.String(),
    currencyExponent: Type.Integer(),
    amountMinor: Type.String({
      pattern: SIGNED_PATTERN,
      description: 'The sum of the lines. It covers this Project only, so it can be negative.',
    }),
    rewards: Type.Array(PayoutLine, { description: 'The lines of this Project.' }),
    providerReference: Nullable(Type.String()),
    createdAt: InstantOut,
    paidAt: Nullable(InstantOut),
    failureReason: Nullable(OneOf(FAILURE_REASONS)),
    failureMessage: Nullable(Type.String()),
  },
  { title: 'Payout' },
);
export type Payout = Static<typeof Payout>;

const EarnedLine = Type.Object(
  {
    ...PayoutLine.properties,
    programId: Type.String(),
    ruleId: Type.String({ description: 'The benefit rule that gave the Reward.' }),
    eventId: Type.String(),
    eventType: Type.String(),
    participantId: Type.String({
      description: 'The participant of the Event: the referee, if the payee referred somebody.',
    }),
    earnedAt: InstantOut,
  },
  { title: 'PayoutLineDetail' },
);

/** A single payout; lists omit what its Rewards come from. */
export const PayoutDetail = Type.Object(
  {
    ...Payout.properties,
    rewards: Type.Array(EarnedLine, { description: 'The lines of this Project.' }),
  },
  { title: 'PayoutDetail' },
);
export type PayoutDetail = Static<typeof PayoutDetail>;

export const PayoutBatch = Type.Object(
  {
    id: Type.String(),
    projectIds: Type.Array(Type.String()),
    method: OneOf(PAYOUT_METHODS),
    currency: Nullable(Type.String({ description: 'Null if the batch covers all currencies.' })),
    cutoffAt: Nullable(InstantOut),
    status: OneOf(BATCH_STATUSES, {
      description:
        'Statuses that end in `-ing` are in progress. After an interruption they continue automatically.',
    }),
    totals: Type.Array(
      Type.Object({
        currency: Type.String(),
        currencyExponent: Type.Integer(),
        amountMinor: Type.String({ pattern: SIGNED_PATTERN }),
        payoutCount: Type.Integer(),
      }),
      { description: 'Totals over all Projects. Final after the approval.' },
    ),
    createdBy: Type.String(),
    createdAt: InstantOut,
    updatedAt: InstantOut,
    approvedBy: Nullable(Type.String()),
    approvedAt: Nullable(InstantOut),
    submittedAt: Nullable(InstantOut),
    cancelledAt: Nullable(InstantOut),
    failureReason: Nullable(
      OneOf(BATCH_FAILURES, {
        description:
          'Why the service itself cancelled the batch: an amount cannot be stored. Null otherwise.',
      }),
    ),
  },
  { title: 'PayoutBatch' },
);
export type PayoutBatch = Static<typeof PayoutBatch>;

/** A batch in a list. */
export const ListedBatch = Type.Object(
  {
    ...PayoutBatch.properties,
    awaitsResults: Type.Boolean({
      description: 'Whether a payout of this Project was submitted and has no result yet.',
    }),
  },
  { title: 'ListedPayoutBatch' },
);
export type ListedBatch = Static<typeof ListedBatch>;

/** A single batch; lists omit the fields that have to be counted. */
export const PayoutBatchDetail = Type.Object(
  {
    ...ListedBatch.properties,
    payeeCount: Type.Integer({
      description:
        'Number of participants of this Project that the batch pays, without cancelled payouts.',
    }),
    payoutsByStatus: Type.Array(
      Type.Object({ status: OneOf(PAYOUT_STATUSES), count: Type.Integer() }),
      {
        description:
          'Number of payouts of this Project by status. A status without payouts has no row.',
      },
    ),
  },
  { title: 'PayoutBatchDetail' },
);
export type PayoutBatchDetail = Static<typeof PayoutBatchDetail>;

export const CreateBatch = Closed({
  projectIds: Opt(
    Type.Array(ProjectIdText, {
      maxItems: PROJECTS_MAX,
      description: 'Additional Projects of the same Workspace and environment.',
    }),
  ),
  method: OneOf(PAYOUT_METHODS),
  currency: Opt(Text(3, 3, 'Only Rewards in this currency.')),
  cutoffAt: Opt(
    Type.String({
      ...InstantIn,
      description:
        'Only Rewards that were available at this time. Without it, or with a future time, the current time of each Project’s clock is used.',
    }),
  ),
});
export type CreateBatch = Static<typeof CreateBatch>;

const OUTCOMES = ['paid', 'failed', 'returned'] as const;

export const RecordResult = Closed({
  outcome: OneOf(OUTCOMES),
  reference: Opt(Text(1, 255, 'The bank’s or provider’s reference for the transfer.')),
  failureReason: Opt(OneOf(FAILURE_REASONS, { description: 'Default: `other`.' })),
  failureMessage: Opt(Text(1, 500, 'The reason as text. Do not include account numbers.')),
});
export type RecordResult = Static<typeof RecordResult>;

export const ListBatches = Type.Object({
  status: Type.Optional(OneOf(BATCH_STATUSES)),
  ...cursorQuery,
});
export type ListBatches = Static<typeof ListBatches>;

const payoutFilters = {
  batchId: Type.Optional(IdOf('batch')),
  beneficiaryParticipantId: Type.Optional(IdOf('participant')),
  status: Type.Optional(OneOf(PAYOUT_STATUSES)),
  method: Type.Optional(OneOf(PAYOUT_METHODS)),
  currency: Type.Optional(Text(3, 3)),
};

export const PayoutQuery = Type.Object(payoutFilters);
export type PayoutQuery = Static<typeof PayoutQuery>;

export const ListPayouts = Type.Object({ ...payoutFilters, ...orderQuery, ...cursorQuery });
export type ListPayouts = Static<typeof ListPayouts>;

export const PayoutTotals = Type.Object(
  {
    ...ListCount.properties,
    sums: Nullable(
      Type.Array(
        Type.Object({
          currency: Type.String(),
          currencyExponent: Type.Integer(),
          amountMinor: Type.String(),
        }),
        { description: 'One sum per currency. Null if `isMore`: then they are not all summed.' },
      ),
    ),
  },
  { title: 'PayoutTotals' },
);
export type PayoutTotals = Static<typeof PayoutTotals>;

export const ShowOverview = Type.Object({
  method: Type.Optional(
    OneOf(PAYOUT_METHODS, {
      description: 'As a batch of this method would judge it. Default: any that is connected.',
    }),
  ),
  currency: Type.Optional(Text(3, 3)),
});
export type ShowOverview = Static<typeof ShowOverview>;

const overviewSum = {
  currency: Type.String(),
  currencyExponent: Type.Integer(),
  amountMinor: Type.String({ pattern: SIGNED_PATTERN }),
};
const OverviewSum = Type.Object({ ...overviewSum, peopleCount: Type.Integer() });

export const PayoutOverview = Type.Object(
  {
    payable: Type.Array(OverviewSum, { description: 'What a batch would pay now, by currency.' }),
    waiting: Type.Array(
      Type.Object({
        reason: OneOf(WAITING_REASONS),
        sums: Type.Array(OverviewSum),
        peopleCount: Type.Integer(),
        nextAt: Nullable(InstantOut),
        people: Type.Array(Type.Object({ participantId: Type.String(), ...overviewSum }), {
          description: `The largest amounts or debts first, at most ${PEOPLE_SHOWN}.`,
        }),
      }),
      { description: 'What is owed in cash and not payable now, by reason.' },
    ),
    isComplete: Type.Boolean({
      description:
        'Whether everything that is owed is in the sums. False if more than `rewardsMax` rewards of a delivery method are open: sums and counts are then of the first ones.',
    }),
    rewardsMax: Type.Integer({
      description: 'How many open rewards of each delivery method are summed at most.',
    }),
  },
  { title: 'PayoutOverview' },
);
export type PayoutOverview = Static<typeof PayoutOverview>;

const Minimums = Type.Record(
  Type.String({ pattern: '^[A-Za-z]{3}$' }),
  Type.String({ pattern: ACCEPTED_MINOR_PATTERN }),
  {
    maxProperties: CURRENCIES_MAX,
    description:
      'The minimum amount of a transfer by currency, in minor units. A currency that is not listed has no minimum.',
  },
);

export const PayoutSettings = Type.Object(
  {
    workspaceId: Type.String(),
    minimums: Minimums,
    requireSecondApprover: Type.Boolean({
      description:
        'Whether a person other than its creator must approve a batch. If so, API keys cannot approve batches.',
    }),
  },
  { title: 'PayoutSettings' },
);
export type PayoutSettings = Static<typeof PayoutSettings>;

export const ChangeSettings = Closed({
  minimums: Opt(Minimums),
  requireSecondApprover: Opt(Type.Boolean()),
});
export type ChangeSettings = Static<typeof ChangeSettings>;
