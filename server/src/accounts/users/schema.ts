import Type, { type Static } from 'typebox';
import { PERMISSIONS, ROLES } from '../../platform/http/access/permissions.ts';
import {
  Closed,
  EmailText,
  IdText,
  InstantOut,
  Nullable,
  OneOf,
  Opt,
  Text,
} from '../../platform/kit/schema.ts';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './sign-in/passwords.ts';
import { FILTERS_BYTES_MAX, VIEW_LISTS } from './views/view-lists.ts';
import { VIEW_NAME_MAX } from './views/view-name.ts';

const Name = Text(1, 200, 'The name that other users see.');
/** Its length is checked with the other rules for passwords. */
const Password = Type.String({
  maxLength: 4 * PASSWORD_LENGTH_MAX,
  description: `${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters. The e-mail address and common passwords are not accepted.`,
});
const Token = Text(1, 200, 'The part of the link after the `#`.');
const RoleText = OneOf(ROLES);

export const Session = Type.Object(
  {
    sessionId: Type.String(),
    user: Type.Object({
      id: Type.String(),
      email: Type.String(),
      name: Type.String(),
      totpEnabled: Type.Boolean(),
    }),
    memberships: Type.Array(
      Type.Object({
        workspaceId: Type.String(),
        workspaceName: Type.String(),
        role: RoleText,
        permissions: Type.Array(OneOf(PERMISSIONS)),
        mayAdminister: Type.Boolean({
          description: 'Whether the role may manage keys, secrets and the team.',
        }),
      }),
    ),
    mustSetUpTotp: Type.Boolean({
      description: 'Whether a second factor must be set up before anything else.',
    }),
    isTotpPostponed: Type.Boolean({
      description:
        'Whether the required second factor is missing but may be set up later: the account was created on the service’s own machine and is used there, by a loopback address.',
    }),
    expiresAt: InstantOut,
  },
  { title: 'Session' },
);
export type Session = Static<typeof Session>;

export const SignInOptions = Type.Object(
  {
    password: Type.Literal(true),
    oidc: Nullable(Type.Object({ name: Type.String() })),
    passwordReset: Type.Boolean({
      description: 'Whether users can reset their password by e-mail.',
    }),
  },
  { title: 'SignInOptions' },
);

export const SetupState = Type.Object(
  {
    isOpen: Type.Boolean({ description: 'Whether there is no user yet.' }),
    needsWorkspaceName: Type.Boolean({
      description:
        'True if there is no Workspace yet, so the first user must name one. Otherwise the first user owns all existing Workspaces.',
    }),
  },
  { title: 'SetupState' },
);

export const SetUp = Closed({
  token: Token,
  email: EmailText('The address of the first user.'),
  name: Name,
  password: Password,
  workspaceName: Opt(
    Text(1, 200, 'The name of the first Workspace. Not allowed if `needsWorkspaceName` is false.'),
  ),
});
export type SetUp = Static<typeof SetUp>;

export const Member = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    role: RoleText,
    totpEnabled: Type.Boolean(),
    lastSeenAt: Nullable(InstantOut),
    joinedAt: InstantOut,
  },
  { title: 'Member' },
);
export type Member = Static<typeof Member>;

export const ChangeMember = Closed({ workspaceId: IdText(), role: RoleText });

const INVITATION_STATUSES = ['open', 'accepted', 'revoked', 'expired'] as const;

export const Invitation = Type.Object(
  {
    id: Type.String(),
    workspaceId: Type.String(),
    email: Type.String(),
    role: RoleText,
    status: OneOf(INVITATION_STATUSES),
    createdAt: InstantOut,
    expiresAt: InstantOut,
    acceptedAt: Nullable(InstantOut),
    revokedAt: Nullable(InstantOut),
  },
  { title: 'Invitation' },
);
export type Invitation = Static<typeof Invitation>;

export const Invite = Closed({
  workspaceId: IdText(),
  email: EmailText('E-mail address of the person to invite.'),
  role: RoleText,
});
export type Invite = Static<typeof Invite>;

export const ShowInvitation = Closed({ token: Token });

export const OpenInvitation = Type.Object(
  {
    workspaceName: Type.String(),
    email: Type.String(),
    role: RoleText,
    expiresAt: InstantOut,
    hasAccount: Type.Boolean({
      description:
        'Whether the address already has an account. If so, the person must sign in to accept.',
    }),
  },
  { title: 'OpenInvitation' },
);

export const AcceptInvitation = Closed({
  token: Token,
  name: Opt(Name),
  password: Opt(Password),
});
export type AcceptInvitation = Static<typeof AcceptInvitation>;

const operatorsNeedTotp = Type.Boolean({
  description:
    'Whether members with the role `operator` must set up a second factor before they can do anything else. Owners, admins and finance always must.',
});

export const TeamSettings = Type.Object(
  { workspaceId: Type.String(), operatorsNeedTotp },
  { title: 'TeamSettings' },
);
export type TeamSettings = Static<typeof TeamSettings>;

export const ChangeTeamSettings = Closed({ operatorsNeedTotp });
export type ChangeTeamSettings = Static<typeof ChangeTeamSettings>;

const viewFields = {
  list: OneOf(VIEW_LISTS, { description: 'The list by its name in the API.' }),
  name: Text(1, VIEW_NAME_MAX, 'Unique in the list, also among names that look the same.'),
  filters: Type.Record(Type.String(), Text(1, 512), {
    description: `The filters by name, as in the address of the list in the console. At most ${FILTERS_BYTES_MAX} bytes as JSON.`,
  }),
};

export const SavedView = Type.Object(
  {
    id: Type.String(),
    ...viewFields,
    invalidFilters: Type.Array(Type.String(), {
      description:
        'Names of filters that the list no longer has, or whose values it no longer takes.',
    }),
    createdAt: InstantOut,
    updatedAt: InstantOut,
  },
  { title: 'SavedView' },
);
export type SavedView = Static<typeof SavedView>;

export const SaveView = Closed(viewFields);
export type SaveView = Static<typeof SaveView>;

export const ChangeView = Closed({
  name: Type.Optional(viewFields.name),
  filters: Type.Optional(viewFields.filters),
});
export type ChangeView = Static<typeof ChangeView>;
