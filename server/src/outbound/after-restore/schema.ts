import Type, { type Static } from 'typebox';
import { RESTORE_CAUSES } from '../../accounts/workspaces/payment-hold/restore.ts';
import { cursorQuery } from '../../platform/http/routes/paging.ts';
import {
  Closed,
  IdText,
  InstantIn,
  InstantOut,
  LineText,
  Nullable,
  OneOf,
  Opt,
} from '../../platform/kit/schema.ts';
import { ADVANCE_STATUSES } from '../payouts/advances/advance.ts';
import { PayoutBatch } from '../payouts/schema.ts';
import { CHECK_STATUSES } from './checks/check.ts';

const REFERENCES_MAX = 50;
const SIGNED_PATTERN = '^(0|-?[1-9][0-9]*)$';
const environment = OneOf(['sandbox', 'live']);
const Reason = LineText(500, 'For the audit log.');
const signed = (description: string) => Type.String({ pattern: SIGNED_PATTERN, description });

const Check = Type.Object(
  {
    connectionId: Type.String(),
    method: Type.String({ description: 'A payout method, or `stripe_balance`.' }),
    environment,
    projectId: Nullable(
      Type.String({ description: 'The Project whose Stripe account it is. Null for payouts.' }),
    ),
    status: OneOf(CHECK_STATUSES, {
      description:
        '`asking`: not finished. `asked`: everything since the backup is in the books. `failed`: it is asked again later. `cannot_list`: the provider has no list to ask for.',
    }),
    adopted: Type.Integer({ description: 'How many transfers or credits became advances.' }),
    message: Nullable(Type.String()),
    askedAt: Nullable(InstantOut),
    override: Nullable(Type.Object({ reason: Type.String(), by: Type.String(), at: InstantOut })),
  },
  { title: 'RestoreCheck' },
);

const BatchFile = Type.Object(
  {
    batchId: Type.String(),
    environment,
    ...Type.Pick(PayoutBatch, ['projectIds', 'status', 'totals']).properties,
  },
  { title: 'RestoreFile' },
);

const AdvanceSum = Type.Object(
  {
    currency: Type.String(),
    currencyExponent: Type.Integer(),
    count: Type.Integer(),
    amountMinor: signed('What was sent.'),
    leftMinor: signed('What no payout or Reward has used yet.'),
    unassignedCount: Type.Integer({
      description: 'Transfers whose payee is not known. 0 for credits.',
    }),
  },
  { title: 'AdvanceSum' },
);

export const Restore = Type.Object(
  {
    id: Type.String(),
    workspaceId: Type.String(),
    status: OneOf(['held', 'released'], { description: 'While `held`, nothing is paid.' }),
    cause: OneOf(RESTORE_CAUSES, {
      description:
        '`backup`: `npm run restore`. `moved`: the database is not where the service last ran on it. `declared`: somebody said so.',
    }),
    since: Type.String({
      ...InstantOut,
      description: 'What was ordered from here on until the restore is not in the store.',
    }),
    note: Nullable(Type.String()),
    declaredBy: Type.String(),
    createdAt: InstantOut,
    releasedAt: Nullable(InstantOut),
    releasedBy: Nullable(Type.String()),
    checks: Type.Array(Check),
    transfers: Type.Array(AdvanceSum, { description: 'Advances by transfer, by currency.' }),
    credits: Type.Array(AdvanceSum, { description: 'Advances on Stripe balances, by currency.' }),
    files: Type.Array(BatchFile, {
      description:
        'Batches of `manual_export` from before the restore whose payouts may have been paid from their file since. Nobody can be asked: compare them with your bank. Newest first, at most 50.',
    }),
    canRelease: Type.Boolean({ description: 'Whether every account was asked or overridden.' }),
  },
  { title: 'Restore' },
);
export type Restore = Static<typeof Restore>;

export const DeclareRestore = Closed({
  since: Type.String({
    ...InstantIn,
    description: 'When the backup was taken that the store was restored from.',
  }),
  note: Opt(LineText(500, 'What happened, for the audit log.')),
});
export type DeclareRestore = Static<typeof DeclareRestore>;

export const OverrideCheck = Closed({ reason: Reason });
export type OverrideCheck = Static<typeof OverrideCheck>;

export const ReleaseRestore = Closed({
  acceptUnassigned: Opt(
    Type.Boolean({
      description:
        'Release although the payees of some transfers are not known. Each counts once somebody is paid to the account that it went to.',
    }),
  ),
});
export type ReleaseRestore = Static<typeof ReleaseRestore>;

export const PayoutAdvance = Type.Object(
  {
    id: Type.String(),
    restoreId: Type.String(),
    environment,
    connectionId: Type.String(),
    method: Type.String(),
    reference: Type.String({ description: 'The provider’s id of the transfer.' }),
    payoutId: Nullable(
      Type.String({ description: 'The payout that ordered it. It may not exist any more.' }),
    ),
    payee: Nullable(
      Type.Object({
        partnerId: Nullable(Type.String()),
        projectId: Nullable(Type.String()),
        participantId: Nullable(Type.String()),
      }),
    ),
    account: Nullable(Type.String({ description: 'Where it went, masked.' })),
    currency: Type.String(),
    currencyExponent: Type.Integer(),
    amountMinor: signed('What the provider sent.'),
    leftMinor: signed(
      'What no payout has used yet. Negative if it was dismissed after a payout had used it.',
    ),
    madeAt: InstantOut,
    status: OneOf(ADVANCE_STATUSES),
    reason: Nullable(Type.String()),
    decidedBy: Nullable(Type.String()),
    uses: Type.Array(Type.Object({ payoutId: Type.String(), amountMinor: Type.String() }), {
      description: 'The payouts whose transfers are smaller by it.',
    }),
  },
  { title: 'PayoutAdvance' },
);
export type PayoutAdvance = Static<typeof PayoutAdvance>;

export const ListAdvances = Type.Object(cursorQuery);

export const AddTransfers = Closed({
  connectionId: IdText('The payout connection that they were paid through.'),
  references: Type.Array(IdText('The provider’s id: at PayPal, of the payout batch.'), {
    minItems: 1,
    maxItems: REFERENCES_MAX,
    uniqueItems: true,
  }),
});
export type AddTransfers = Static<typeof AddTransfers>;

export const AddedTransfers = Type.Array(
  Type.Object(
    {
      reference: Type.String(),
      result: OneOf(['recorded', 'not_found'], {
        description:
          '`recorded`: the books have it, as a payout of theirs or as an advance. `not_found`: the service ordered no such transfer.',
      }),
    },
    { title: 'AddedTransfer' },
  ),
);
export type AddedTransfers = Static<typeof AddedTransfers>;

export const AssignAdvance = Closed({
  partnerId: Opt(IdText('The Partner who received it.')),
  projectId: Opt(IdText('With `participantId`: the Project of the participant.')),
  participantId: Opt(IdText('The participant who received it.')),
  reason: Reason,
});
export type AssignAdvance = Static<typeof AssignAdvance>;

export const DismissAdvance = Closed({ reason: Reason });
