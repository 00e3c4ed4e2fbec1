import Type, { type Static } from 'typebox';
import {
  CreateReferralCode,
  CreateReferralLink,
  ExternalId,
  Kind,
  UpsertParticipant,
} from '../../domain/participants/schema.ts';
import {
  Closed,
  IdText,
  InstantIn,
  Nullable,
  OneOf,
  Opt,
  Text,
} from '../../platform/kit/schema.ts';

const { name, email, billingId } = UpsertParticipant.properties;

export const ImportRow = Closed(
  {
    externalId: ExternalId,
    kind: Opt(Kind),
    name,
    email,
    billingId,
    code: CreateReferralCode.properties.code,
    slug: Opt(CreateReferralLink.properties.slug),
    referredByExternalId: Opt(
      Text(
        1,
        512,
        'Who brought it, by your own id; an individual unless `referredByKind` is told.',
      ),
    ),
    referredByKind: Opt(Kind),
    referredByCode: Opt(
      Text(1, 50, 'Who brought it, by a code or slug of theirs in this Program.'),
    ),
    referredAt: Opt(
      Type.String({
        ...InstantIn,
        description: 'When; kept as a property of the Event. The referral counts from its import.',
      }),
    ),
  },
  { title: 'ImportRow' },
);
export type ImportRow = Static<typeof ImportRow>;

const ROWS_MAX = 500;

export const ImportRows = Closed({
  programId: IdText('A referral Program, in which codes, slugs and referrals are.'),
  dryRun: Opt(Type.Boolean({ description: 'Only say what would be done.' })),
  rows: Type.Array(Type.Unknown(), {
    minItems: 1,
    maxItems: ROWS_MAX,
    description: 'Each an ImportRow: one that is not, is told so alone.',
  }),
});

const IMPORT_STATUSES = ['created', 'updated', 'unchanged', 'invalid'] as const;

export const ImportResult = Type.Object(
  {
    status: OneOf(IMPORT_STATUSES, {
      description:
        '`created`: a participant that was not there. `updated`: something of it is new or different. `invalid`: nothing of the row was taken.',
    }),
    issues: Type.Array(Type.Object({ path: Type.String(), issue: Type.String() })),
    participantId: Nullable(
      Type.String({ description: 'Null for an invalid row, and for what a dry run would make.' }),
    ),
    referralId: Nullable(
      Type.String({ description: 'The referral that names it; null likewise, or without one.' }),
    ),
  },
  { title: 'ImportResult' },
);
export type ImportResult = Static<typeof ImportResult>;

export const ImportAnswer = Type.Object(
  {
    dryRun: Type.Boolean(),
    counts: Type.Object({
      created: Type.Integer(),
      updated: Type.Integer(),
      unchanged: Type.Integer(),
      invalid: Type.Integer(),
    }),
    results: Type.Array(ImportResult, { description: 'One for each row, in their order.' }),
  },
  { title: 'ImportAnswer' },
);
export type ImportAnswer = Static<typeof ImportAnswer>;
