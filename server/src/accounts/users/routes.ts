import Type from 'typebox';
import { Success, success } from '../../platform/http/routes/answers.ts';
import {
  CursorList,
  cursorQuery,
  pageOf,
  toCursorPage,
} from '../../platform/http/routes/paging.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { operatorRoute } from '../../platform/http/routes/user-routes.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import { IdText, Nullable } from '../../platform/kit/schema.ts';
import { invitationExample, memberExample } from './examples.ts';
import {
  ChangeMember,
  ChangeTeamSettings,
  Invitation,
  Invite,
  Member,
  TeamSettings,
} from './schema.ts';
import type { SignIn } from './sign-in/sign-in.ts';
import { signInRoutes } from './sign-in/sign-in-routes.ts';
import { findInvitationWorkspace } from './team/invitation-store.ts';
import { invite, revokeInvitation, showInvitations } from './team/invitations.ts';
import { changeRole, listTeam, removeMember } from './team/members.ts';
import { changeTeamSettings, showTeamSettings } from './team/team-settings.ts';
import { viewRoutes } from './views/view-routes.ts';
import type { ViewDeps } from './views/views.ts';

const TAG = 'Team';
const noWorkspace = { code: 'NOT_FOUND', when: 'the Workspace does not exist' } as const;
const noUser = { code: 'NOT_FOUND', when: 'the Workspace has no such user' } as const;
const lastOwner = {
  code: 'CONFLICT',
  reason: 'last_owner',
  when: 'the Workspace would have no owner',
} as const;
const ownersOnly = {
  code: 'FORBIDDEN',
  when: 'the caller is an admin, and only owners may do this',
} as const;

export function userRoutes(deps: ViewDeps, signIn: SignIn): Route[] {
  const { reads } = deps.database;
  const itsInvitation = {
    what: 'invitation',
    find: ({ invitationId }: Readonly<Record<string, string>>) =>
      findInvitationWorkspace(reads, invitationId as string),
  };
  return [
    ...signInRoutes(deps, signIn),
    operatorRoute({
      method: 'GET',
      path: '/v1/users',
      about: 'query',
      tag: TAG,
      summary: 'List the users of a Workspace, newest first',
      query: Type.Object({ workspaceId: IdText(), ...cursorQuery }),
      answer: CursorList(Member),
      refusals: [noWorkspace],
      example: { answer: { success: true, data: [memberExample], nextCursor: null } },
      handle: async ({ query: { workspaceId, ...query } }) => {
        const page = toCursorPage(query, 'usr');
        return pageOf(await listTeam(reads, workspaceId, page), page, (row) => row);
      },
    }),
    operatorRoute({
      method: 'PATCH',
      path: '/v1/users/{userId}',
      about: 'body',
      tag: TAG,
      summary: 'Change a user’s role in a Workspace',
      description: 'Takes effect with the user’s next call.',
      body: ChangeMember,
      answer: Success(Member),
      refusals: [noUser, ownersOnly, lastOwner],
      example: {
        body: { workspaceId: 'ws_01ka3m…', role: 'finance' },
        answer: success(memberExample),
      },
      handle: async ({ principal, request, params, body: { workspaceId, role } }) =>
        success(
          await changeRole(deps, principal, request, {
            workspaceId,
            userId: params.userId as string,
            role,
          }),
        ),
    }),
    operatorRoute({
      method: 'DELETE',
      path: '/v1/users/{userId}',
      about: 'query',
      tag: TAG,
      summary: 'Remove a user from a Workspace',
      description:
        'Takes effect with the user’s next call. A user who is in no other Workspace is deleted, along with their password and second factor. If they are invited again, they get a new account. Returns the user as they were before.',
      query: Type.Object({ workspaceId: IdText() }),
      answer: Success(Member),
      refusals: [noUser, ownersOnly, lastOwner],
      example: { answer: success(memberExample) },
      handle: async ({ principal, request, params, query: { workspaceId } }) =>
        success(
          await removeMember(deps, principal, request, {
            workspaceId,
            userId: params.userId as string,
          }),
        ),
    }),
    operatorRoute({
      method: 'GET',
      path: '/v1/workspaces/{workspaceId}/team-settings',
      about: 'path',
      tag: TAG,
      summary: 'Read who needs a second factor',
      answer: Success(TeamSettings),
      refusals: [noWorkspace],
      example: { answer: success({ workspaceId: 'ws_01ka3m…', operatorsNeedTotp: false }) },
      handle: async ({ params }) =>
        success(await showTeamSettings(reads, params.workspaceId as string)),
    }),
    operatorRoute({
      method: 'PUT',
      path: '/v1/workspaces/{workspaceId}/team-settings',
      about: 'path',
      tag: TAG,
      summary: 'Set who needs a second factor',
      description:
        'Takes effect with each member’s next call. For users who sign in by single sign-on, the second factor is up to that provider.',
      body: ChangeTeamSettings,
      answer: Success(TeamSettings),
      refusals: [noWorkspace],
      example: {
        body: { operatorsNeedTotp: true },
        answer: success({ workspaceId: 'ws_01ka3m…', operatorsNeedTotp: true }),
      },
      handle: async ({ request, params, body }) =>
        success(await changeTeamSettings(deps, request, params.workspaceId as string, body)),
    }),
    operatorRoute({
      method: 'POST',
      path: '/v1/invitations',
      about: 'body',
      tag: TAG,
      summary: 'Invite a person to a Workspace',
      description:
        'If the service can send mail, it mails the link. Otherwise only this response contains the link, and you pass it on. The link works once and expires after 72 hours. It replaces an open invitation to the same address. It stops working when its sender leaves the Workspace or is no longer an owner or admin.',
      keepsAnswer: false,
      body: Invite,
      answer: Type.Object({
        success: Type.Literal(true),
        data: Invitation,
        link: Nullable(
          Type.String({ description: 'Null if the caller is a user and the link was mailed.' }),
        ),
        mailed: Type.Boolean(),
      }),
      refusals: [
        noWorkspace,
        ownersOnly,
        {
          code: 'CONFLICT',
          reason: 'already_member',
          when: 'the person is already in the Workspace',
        },
      ],
      example: {
        body: { workspaceId: 'ws_01ka3m…', email: 'grace@example.com', role: 'finance' },
        answer: {
          success: true,
          data: invitationExample,
          link: 'https://refer.example.com/console/invitation#Zb0…',
          mailed: false,
        },
      },
      handle: async ({ principal, request, body }) => {
        const { invitation, link, mailed } = await invite(deps, principal, request, body);
        return { success: true as const, data: invitation, link, mailed };
      },
    }),
    operatorRoute({
      method: 'GET',
      path: '/v1/invitations',
      about: 'query',
      tag: TAG,
      summary: 'List the invitations to a Workspace, newest first',
      query: Type.Object({ workspaceId: IdText(), ...cursorQuery }),
      answer: CursorList(Invitation),
      refusals: [noWorkspace],
      example: { answer: { success: true, data: [invitationExample], nextCursor: null } },
      handle: async ({ query: { workspaceId, ...query } }) => {
        const page = toCursorPage(query, 'inv');
        const now = toInstant(deps.clock.nowMs());
        return pageOf(await showInvitations(reads, workspaceId, page, now), page, (row) => row);
      },
    }),
    operatorRoute({
      method: 'POST',
      path: '/v1/invitations/{invitationId}/revoke',
      about: itsInvitation,
      tag: TAG,
      summary: 'Revoke an invitation',
      answer: Success(Invitation),
      refusals: [{ code: 'NOT_FOUND', when: 'the invitation does not exist' }, ownersOnly],
      example: { answer: success({ ...invitationExample, status: 'revoked' }) },
      handle: async ({ principal, request, params }) =>
        success(await revokeInvitation(deps, principal, request, params.invitationId as string)),
    }),
    ...viewRoutes(deps),
  ];
}
