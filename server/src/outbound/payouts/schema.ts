import Type, { type Static } from 'typebox';
import { PARTICIPANT_KINDS } from '../../domain/participants/schema.ts';
import { cursorQuery } from '../../platform/http/routes/paging.ts';
import { ACCEPTED_MINOR_PATTERN } from '../../platform/kit/money.ts';
import {
  Closed,
  IdText,
  InstantIn,
  InstantOut,
  Nullable,
  OneOf,
  Opt,
  ProjectIdText,
  Text,
} from '../../platform/kit/schema.ts';
import { FAILURE_REASONS, PAYOUT_METHODS } from './methods.ts';
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
      description: 'Below zero for what was paid before and is not due any more.',
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
      description: 'What the lines add up to: of this Project only, so it may be below zero.',
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

export const PayoutBatch = Type.Object(
  {
    id: Type.String(),
    projectIds: Type.Array(Type.String()),
    method: OneOf(PAYOUT_METHODS),
    currency: Nullable(Type.String({ description: 'Null for every currency.' })),
    cutoffAt: Nullable(InstantOut),
    status: OneOf(BATCH_STATUSES, {
      description:
        'Those in -ing are on their way to the next; whatever cuts them off, they go on by themselves.',
    }),
    totals: Type.Array(
      Type.Object({
        currency: Type.String(),
        currencyExponent: Type.Integer(),
        amountMinor: Type.String({ pattern: SIGNED_PATTERN }),
        payoutCount: Type.Integer(),
      }),
      { description: 'Over all Projects; final since the approval.' },
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
          'Why the service gave the batch up by itself: an amount that cannot be stored. Null for any other.',
      }),
    ),
  },
  { title: 'PayoutBatch' },
);
export type PayoutBatch = Static<typeof PayoutBatch>;

/** A single batch; lists omit the fields that have to be counted. */
export const PayoutBatchDetail = Type.Object(
  {
    ...PayoutBatch.properties,
    payeeCount: Type.Integer({
      description: 'How many participants of this Project it pays; cancelled payouts pay nobody.',
    }),
    payoutsByStatus: Type.Array(
      Type.Object({ status: OneOf(PAYOUT_STATUSES), count: Type.Integer() }),
      { description: 'How many payouts of this Project are in which status; none has no row.' },
    ),
  },
  { title: 'PayoutBatchDetail' },
);
export type PayoutBatchDetail = Static<typeof PayoutBatchDetail>;

export const CreateBatch = Closed({
  projectIds: Opt(
    Type.Array(ProjectIdText, {
      maxItems: PROJECTS_MAX,
      description: 'Further Projects of the same Workspace and environment.',
    }),
  ),
  method: OneOf(PAYOUT_METHODS),
  currency: Opt(Text(3, 3, 'Only Rewards in this currency.')),
  cutoffAt: Opt(
    Type.String({
      ...InstantIn,
      description:
        'Only Rewards that were available by then. Without it, or in the future: by now, by the clock of each Project.',
    }),
  ),
});
export type CreateBatch = Static<typeof CreateBatch>;

const OUTCOMES = ['paid', 'failed', 'returned'] as const;

export const RecordResult = Closed({
  outcome: OneOf(OUTCOMES),
  reference: Opt(Text(1, 255, 'What the bank or the provider knows the transfer by.')),
  failureReason: Opt(OneOf(FAILURE_REASONS, { description: '`other` unless told.' })),
  failureMessage: Opt(Text(1, 500, 'In words; without account numbers.')),
});
export type RecordResult = Static<typeof RecordResult>;

export const ListBatches = Type.Object({
  status: Type.Optional(OneOf(BATCH_STATUSES)),
  ...cursorQuery,
});
export type ListBatches = Static<typeof ListBatches>;

export const ListPayouts = Type.Object({
  batchId: Type.Optional(IdText()),
  beneficiaryParticipantId: Type.Optional(IdText()),
  status: Type.Optional(OneOf(PAYOUT_STATUSES)),
  method: Type.Optional(OneOf(PAYOUT_METHODS)),
  currency: Type.Optional(Text(3, 3)),
  ...cursorQuery,
});
export type ListPayouts = Static<typeof ListPayouts>;

const Minimums = Type.Record(
  Type.String({ pattern: '^[A-Za-z]{3}$' }),
  Type.String({ pattern: ACCEPTED_MINOR_PATTERN }),
  {
    maxProperties: CURRENCIES_MAX,
    description:
      'The least that one transfer pays, by currency and in minor units. A currency that is not named has no minimum.',
  },
);

export const PayoutSettings = Type.Object(
  {
    workspaceId: Type.String(),
    minimums: Minimums,
    requireSecondApprover: Type.Boolean({
      description: 'Whether somebody else than who made a batch must approve it.',
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
