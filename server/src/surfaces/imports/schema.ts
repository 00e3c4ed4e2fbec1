import Type, { type Static } from 'typebox';
import {
  CreateReferralCode,
  CreateReferralLink,
  ExternalId,
  Kind,
  StartingMeasures,
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
      Text(1, 512, 'The referrer, by your own id. An individual, unless `referredByKind` is set.'),
    ),
    referredByKind: Opt(Kind),
    referredByCode: Opt(
      Text(1, 50, 'The referrer, by one of their codes or slugs in this Program.'),
    ),
    startingMeasures: Opt(StartingMeasures),
    referredAt: Opt(
      Type.String({
        ...InstantIn,
        description:
          'When the referral happened. Stored as a property of the Event; the referral counts from the import on.',
      }),
    ),
  },
  { title: 'ImportRow' },
);
export type ImportRow = Static<typeof ImportRow>;

const ROWS_MAX = 500;

export const ImportRows = Closed({
  programId: IdText('The referral Program of the codes, slugs and referrals.'),
  dryRun: Opt(Type.Boolean({ description: 'Only report what the import would do.' })),
  rows: Type.Array(Type.Unknown(), {
    minItems: 1,
    maxItems: ROWS_MAX,
    description: 'Each row is an ImportRow. A row that is not valid fails alone.',
  }),
});

const IMPORT_STATUSES = ['created', 'updated', 'unchanged', 'invalid'] as const;

export const ImportResult = Type.Object(
  {
    status: OneOf(IMPORT_STATUSES, {
      description:
        '`created`: the participant is new. `updated`: something about it is new or different. `invalid`: nothing in the row was imported.',
    }),
    issues: Type.Array(Type.Object({ path: Type.String(), issue: Type.String() })),
    participantId: Nullable(
      Type.String({
        description: 'Null for an invalid row, and for a participant that a dry run would create.',
      }),
    ),
    referralId: Nullable(
      Type.String({
        description:
          'The referral that has the participant as referee. Null in the same cases, or if there is none.',
      }),
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
    results: Type.Array(ImportResult, {
      description: 'One result for each row, in the same order.',
    }),
  },
  { title: 'ImportAnswer' },
);
export type ImportAnswer = Static<typeof ImportAnswer>;
