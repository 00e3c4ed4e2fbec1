import Type, { type Static } from 'typebox';
import { ACCEPTED_MINOR_PATTERN } from '../../platform/kit/money.ts';
import {
  Closed,
  COUNT_PATTERN,
  IdText,
  InstantOut,
  Nullable,
  OneOf,
  Opt,
  PersonEmailText,
  Text,
} from '../../platform/kit/schema.ts';

export const PARTICIPANT_KINDS = ['individual', 'group'] as const;
export type ParticipantKind = (typeof PARTICIPANT_KINDS)[number];

export const Kind = OneOf(PARTICIPANT_KINDS, {
  description: 'A person, or a company, team or workspace. Part of the identity.',
});
export const ExternalId = Text(1, 512, 'Your own stable id. Case-sensitive, never trimmed.');

/** How a caller names a participant. A write that names an unknown participant creates it. */
export const ParticipantRef = Closed(
  { kind: Kind, externalId: ExternalId },
  { title: 'ParticipantRef' },
);
export type ParticipantRef = Static<typeof ParticipantRef>;

const participantFields = {
  id: Type.String(),
  createdAt: InstantOut,
  updatedAt: InstantOut,
  projectId: Type.String(),
  kind: Kind,
  externalId: Nullable(Type.String({ description: 'Null for a partner.' })),
  billingId: Nullable(Type.String()),
  name: Nullable(Type.String()),
  email: Nullable(Type.String()),
  partnerId: Nullable(Type.String()),
  deletedAt: Nullable(InstantOut),
  readmittedAt: Type.Union([InstantOut, Type.Null()], {
    description:
      'When an operator allowed the external id of an erased participant to be used again.',
  }),
};

export const Participant = Type.Object(participantFields, { title: 'Participant' });
export type Participant = Static<typeof Participant>;

const count = (what: string) =>
  Type.String({ pattern: COUNT_PATTERN, description: `${what} Default: 0.` });

/** Fields of what somebody had brought before; at most one amount for each currency. */
export const StartingMeasures = Closed(
  {
    referrals: Opt(count('Referrals that are not imported themselves.')),
    purchases: Opt(count('Purchases of the people they referred.')),
    revenue: Opt(
      Type.Array(
        Closed({
          currency: Type.String({ pattern: '^[A-Za-z]{3}$', description: 'ISO 4217.' }),
          amountMinor: Type.String({ pattern: ACCEPTED_MINOR_PATTERN }),
        }),
        {
          maxItems: 20,
          description: 'The sum of these purchases after refunds, for each currency once.',
        },
      ),
    ),
  },
  {
    title: 'StartingMeasures',
    description:
      'What a referrer had brought in the Program before this service counted. Tiers and milestones that measure all time begin there. Set once for a participant and a Program: the same values again change nothing, other values are refused.',
  },
);
export type StartingMeasures = Static<typeof StartingMeasures>;

export const ProgramStart = Type.Object(
  {
    programId: Type.String(),
    referrals: Type.String(),
    purchases: Type.String(),
    revenue: Type.Array(Type.Object({ currency: Type.String(), amountMinor: Type.String() })),
    importedAt: InstantOut,
  },
  { title: 'ProgramStart' },
);
export type ProgramStart = Static<typeof ProgramStart>;

export const ListedParticipant = Type.Object(
  {
    ...participantFields,
    isReferrer: Type.Boolean({ description: 'At least one Referral names it as the referrer.' }),
    isReferee: Type.Boolean({ description: 'A Referral names it as the referee.' }),
    startingMeasures: Type.Array(ProgramStart, {
      description: 'What imports carried over, by Program.',
    }),
  },
  { title: 'ListedParticipant' },
);
export type ListedParticipant = Static<typeof ListedParticipant>;

const participantFilters = {
  kind: Type.Optional(Kind),
  externalId: Type.Optional(ExternalId),
};

export const CountParticipants = Type.Object(participantFilters);

export const ListParticipants = Type.Object({
  ...participantFilters,
  offset: Type.Optional(
    Type.String({
      pattern: '^(0|[1-9][0-9]*)$',
      description: '`nextOffset` of the previous page: how many rows to skip.',
    }),
  ),
});

export const UpsertParticipant = Closed({
  participant: ParticipantRef,
  name: Opt(Text(1, 200, 'If omitted, the value is kept. Null clears it.')),
  email: Opt(
    PersonEmailText(
      'If omitted, the value is kept. Null clears it. Never used to match participants.',
    ),
  ),
  billingId: Opt(
    Text(
      1,
      255,
      'The participant’s id at your billing provider, unique in the Project. Null clears it.',
    ),
  ),
});
export type UpsertParticipant = Static<typeof UpsertParticipant>;

export const Enrollment = Type.Object(
  {
    id: Type.String(),
    createdAt: InstantOut,
    updatedAt: InstantOut,
    projectId: Type.String(),
    participantId: Type.String(),
    programId: Type.String(),
    startsAt: InstantOut,
    endsAt: Nullable(InstantOut),
  },
  { title: 'Enrollment' },
);
export type Enrollment = Static<typeof Enrollment>;

const Url = Nullable(
  Type.String({ description: 'The address to share. Null after its owner was erased.' }),
);

export const ReferralCode = Type.Object(
  {
    id: Type.String(),
    createdAt: InstantOut,
    updatedAt: InstantOut,
    projectId: Type.String(),
    code: Type.String(),
    participantId: Type.String(),
    programId: Type.String(),
    url: Url,
  },
  { title: 'ReferralCode' },
);
export type ReferralCode = Static<typeof ReferralCode>;

export const ReferralLink = Type.Object(
  {
    id: Type.String(),
    createdAt: InstantOut,
    updatedAt: InstantOut,
    projectId: Type.String(),
    slug: Type.String(),
    refCodeId: Type.String(),
    url: Url,
  },
  { title: 'ReferralLink' },
);
export type ReferralLink = Static<typeof ReferralLink>;

const joining = { participant: ParticipantRef, programId: IdText() };

export const CreateEnrollment = Closed(joining);
export const CreateReferralCode = Closed({
  ...joining,
  code: Opt(
    Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9-]{1,30}[A-Za-z0-9]$',
      description: 'Converted to lower case. If omitted, you get the oldest code or a random one.',
    }),
  ),
});
export const CreateReferralLink = Closed({
  ...joining,
  slug: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9-]{1,48}[A-Za-z0-9]$',
    description:
      'Converted to lower case. Must differ from all codes and other slugs of the Project.',
  }),
});
