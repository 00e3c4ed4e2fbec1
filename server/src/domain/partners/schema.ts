import Type, { type Static } from 'typebox';
import { ENVIRONMENTS } from '../../accounts/workspaces/schema.ts';
import { cursorQuery } from '../../platform/http/routes/paging.ts';
import {
  Closed,
  EmailText,
  IdOf,
  IdText,
  InstantOut,
  Nullable,
  OneOf,
  Opt,
  Text,
} from '../../platform/kit/schema.ts';

export const APPLICATION_STATUSES = ['pending', 'approved', 'rejected', 'withdrawn'] as const;
export type ApplicationStatus = (typeof APPLICATION_STATUSES)[number];

const PROFILE_TYPES = ['individual', 'company'] as const;

export const Apply = Closed({
  programId: IdText('An affiliate Program that takes applications.'),
  name: Text(1, 120),
  email: EmailText(
    'The applicant gets a link at this address, to verify it. Addresses that differ only in case or in a `+tag` count as one applicant.',
  ),
  profileType: OneOf(PROFILE_TYPES),
  companyName: Opt(Text(1, 200, 'Required for a company.')),
  country: Opt(
    Type.String({ pattern: '^[A-Za-z]{2}$', description: 'Two-letter country code (ISO 3166-1).' }),
  ),
  website: Opt(Text(1, 2048, 'An http or https address.')),
  message: Opt(Text(1, 2000, 'A message from the applicant.')),
});
export type Apply = Static<typeof Apply>;

export const ApplicationReceipt = Type.Object(
  { id: Type.String(), programId: Type.String(), status: Type.Literal('pending') },
  { title: 'PartnerApplicationReceipt' },
);
export type ApplicationReceipt = Static<typeof ApplicationReceipt>;

export const ListApplications = Type.Object({
  programId: Type.Optional(IdOf('program')),
  status: Type.Optional(OneOf(APPLICATION_STATUSES)),
  ...cursorQuery,
});
export type ListApplications = Static<typeof ListApplications>;

export const PartnerApplication = Type.Object(
  {
    id: Type.String(),
    projectId: Type.String(),
    programId: Type.String(),
    status: OneOf(APPLICATION_STATUSES),
    name: Nullable(Type.String({ description: 'Null after the applicant was erased.' })),
    email: Nullable(Type.String({ description: 'Null after the applicant was erased.' })),
    emailVerifiedAt: Nullable(InstantOut),
    profileType: OneOf(PROFILE_TYPES),
    companyName: Nullable(Type.String()),
    country: Nullable(Type.String()),
    website: Nullable(Type.String()),
    message: Nullable(Type.String()),
    createdAt: InstantOut,
    updatedAt: InstantOut,
    decidedAt: Nullable(InstantOut),
    decidedBy: Nullable(Type.String()),
    rejectionReason: Nullable(Type.String()),
    participantId: Nullable(
      Type.String({ description: 'The Partner’s participant in this Project.' }),
    ),
    verificationUrl: Nullable(
      Type.String({
        description:
          'The link for the applicant, if it could not be mailed: SMTP is not set up, or sending failed for good. Only shown to callers with `partners:write`.',
      }),
    ),
  },
  { title: 'PartnerApplication' },
);
export type PartnerApplication = Static<typeof PartnerApplication>;

export const Reject = Closed({
  reason: Opt(Text(1, 500, 'Stored with the application. The applicant does not see it.')),
});

export const PartnerDecision = Type.Object(
  {
    partnerRequestId: Type.String(),
    programId: Type.String(),
    participantId: Nullable(Type.String()),
    status: OneOf(APPLICATION_STATUSES),
    decidedAt: Nullable(InstantOut),
    decidedBy: Nullable(Type.String()),
  },
  { title: 'PartnerDecision' },
);
export type PartnerDecision = Static<typeof PartnerDecision>;

const PARTNER_STATUSES = ['active', 'suspended'] as const;
export type PartnerStatus = (typeof PARTNER_STATUSES)[number];

const partnerFields = {
  id: Type.String(),
  workspaceId: Type.String(),
  environment: OneOf(ENVIRONMENTS),
  name: Nullable(Type.String({ description: 'Null after the Partner was erased.' })),
  email: Nullable(Type.String({ description: 'Null after the Partner was erased.' })),
  emailVerifiedAt: InstantOut,
  profileType: OneOf(PROFILE_TYPES),
  country: Nullable(Type.String()),
  status: OneOf(PARTNER_STATUSES),
  suspendedAt: Nullable(InstantOut),
  suspensionReason: Nullable(Type.String()),
  createdAt: InstantOut,
  updatedAt: InstantOut,
  erasedAt: Nullable(InstantOut),
};

export const Partner = Type.Object(partnerFields, { title: 'Partner' });
export type Partner = Static<typeof Partner>;

export const ListPartners = Type.Object({
  workspaceId: Type.Optional(IdText()),
  environment: Type.Optional(OneOf(ENVIRONMENTS)),
  status: Type.Optional(OneOf(PARTNER_STATUSES)),
  ...cursorQuery,
});
export type ListPartners = Static<typeof ListPartners>;

export const PartnerDetail = Type.Object(
  {
    ...partnerFields,
    participants: Type.Array(
      Type.Object({ projectId: Type.String(), participantId: Type.String() }),
      { description: 'The Partner’s participant in each Project.' },
    ),
  },
  { title: 'PartnerDetail' },
);
export type PartnerDetail = Static<typeof PartnerDetail>;

export const Suspend = Closed({
  reason: Opt(
    Text(1, 500, 'Stored with the Partner and in the audit log. The Partner does not see it.'),
  ),
});
