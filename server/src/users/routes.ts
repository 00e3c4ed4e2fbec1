import Type from 'typebox';
import { CursorList, cursorQuery, pageOf, toCursorPage } from '../http/paging.ts';
import {
  openRoute,
  operatorRoute,
  type Route,
  Success,
  sessionRoute,
  success,
  WithCookies,
} from '../http/route.ts';
import { toInstant } from '../kit/instant.ts';
import { IdText } from '../kit/schema.ts';
import { assertWorkspace } from '../workspaces/assert-workspace.ts';
import { acceptInvitation, showInvitation } from './accept-invitation.ts';
import {
  acceptedExample,
  invitationExample,
  memberExample,
  openInvitationExample,
  sessionExample,
} from './examples.ts';
import { findInvitationWorkspace, listInvitations } from './invitation-store.ts';
import { invite, revokeInvitation, toInvitation } from './invitations.ts';
import { changeRole, removeMember } from './members.ts';
import {
  AcceptInvitation,
  ChangeMember,
  Invitation,
  Invite,
  Member,
  OpenInvitation,
  Session,
  SetUp,
  ShowInvitation,
  SignInOptions,
} from './schema.ts';
import { isSetupOpen, setUp } from './set-up.ts';
import { showSession } from './show-session.ts';
import type { SignIn } from './sign-in.ts';
import { listMembers } from './store.ts';
import type { UserDeps } from './user-deps.ts';

const TAG = 'Team';
const noWorkspace = { code: 'NOT_FOUND', when: 'the Workspace does not exist' } as const;
const noUser = { code: 'NOT_FOUND', when: 'nobody like that is in the Workspace' } as const;
const noInvitation = {
  code: 'NOT_FOUND',
  when: 'the link was used or revoked, or is older than 72 hours',
} as const;
const lastOwner = {
  code: 'CONFLICT',
  reason: 'last_owner',
  when: 'the Workspace would have no owner',
} as const;
const noHttps = {
  code: 'FORBIDDEN',
  reason: 'https_required',
  when: 'the service is reached by plain http from another machine',
} as const;
const ownersOnly = { code: 'FORBIDDEN', when: 'an admin asks for what only owners may' } as const;

export function userRoutes(deps: UserDeps, signIn: SignIn): Route[] {
  const { reads } = deps.database;
  const perMinute = deps.settings.signInsPerMinute;
  const readsPerMinute = 10 * perMinute;
  const itsInvitation = {
    what: 'invitation',
    find: ({ invitationId }: Readonly<Record<string, string>>) =>
      findInvitationWorkspace(reads, invitationId as string),
  };
  return [
    sessionRoute({
      method: 'GET',
      path: '/v1/session',
      tag: TAG,
      summary: 'Read who is signed in, and what they may do where',
      answer: Success(Session),
      example: { answer: success(sessionExample) },
      handle: async ({ principal }) => success(await showSession(deps, principal)),
    }),
    openRoute({
      method: 'GET',
      path: '/v1/sign-in-options',
      tag: TAG,
      summary: 'Read how people can sign in to the console',
      perMinute: readsPerMinute,
      answer: Success(SignInOptions),
      example: { answer: success({ password: true, oidc: { name: 'Acme' }, passwordReset: true }) },
      handle: async () => {
        const { oidc } = deps.settings;
        return success({
          password: true as const,
          oidc: oidc && { name: oidc.name },
          passwordReset: deps.mailer !== null,
        });
      },
    }),
    openRoute({
      method: 'GET',
      path: '/v1/setup',
      tag: TAG,
      summary: 'Read whether the service waits for its first user',
      perMinute: readsPerMinute,
      answer: Success(Type.Object({ isOpen: Type.Boolean() })),
      example: { answer: success({ isOpen: true }) },
      handle: async () => success({ isOpen: await isSetupOpen(deps) }),
    }),
    openRoute({
      method: 'POST',
      path: '/v1/setup',
      tag: TAG,
      summary: 'Make the first user',
      description:
        'With the token of the link that the service prints at its start while there is no user. They own all Workspaces, or a new one, and are signed in.',
      perMinute,
      body: SetUp,
      answer: Success(Type.Object({ userId: Type.String() })),
      refusals: [
        noHttps,
        {
          code: 'FORBIDDEN',
          reason: 'wrong_setup_token',
          when: 'the link is not the one that was printed last',
        },
        { code: 'CONFLICT', reason: 'setup_done', when: 'there is a user' },
      ],
      example: {
        body: {
          token: 'Zb0…',
          email: 'ada@example.com',
          name: 'Ada Example',
          password: 'a long one of your own',
          workspaceName: 'Acme',
        },
        answer: success({ userId: 'usr_01ka3m…' }),
      },
      handle: async ({ request, body, browser }) => {
        signIn.assertPossible();
        const userId = await setUp(deps, request, body);
        const cookies = await signIn.begin(browser, body.email, body.password);
        return new WithCookies(success({ userId }), cookies);
      },
    }),
    operatorRoute({
      method: 'GET',
      path: '/v1/users',
      about: 'query',
      tag: TAG,
      summary: 'List who is in a Workspace, newest first',
      query: Type.Object({ workspaceId: IdText(), ...cursorQuery }),
      answer: CursorList(Member),
      refusals: [noWorkspace],
      example: { answer: { success: true, data: [memberExample], nextCursor: null } },
      handle: async ({ query: { workspaceId, ...query } }) => {
        const page = toCursorPage(query, 'usr');
        await assertWorkspace(reads, workspaceId);
        return pageOf(await listMembers(reads, workspaceId, page), page, (row) => row);
      },
    }),
    operatorRoute({
      method: 'PATCH',
      path: '/v1/users/{userId}',
      about: 'body',
      tag: TAG,
      summary: 'Change what somebody is in a Workspace',
      description: 'It counts from their next call on.',
      body: ChangeMember,
      answer: Success(Member),
      refusals: [noUser, ownersOnly, lastOwner],
      example: {
        body: { workspaceId: 'ws_01ka3m…', role: 'finance' },
        answer: success(memberExample),
      },
      handle: async ({ principal, request, params, body: { workspaceId, role } }) =>
        success(
          await changeRole(
            deps,
            principal,
            request,
            { workspaceId, userId: params.userId as string },
            role,
          ),
        ),
    }),
    operatorRoute({
      method: 'DELETE',
      path: '/v1/users/{userId}',
      about: 'query',
      tag: TAG,
      summary: 'Remove somebody from a Workspace',
      description:
        'It counts from their next call on. Who is in no other Workspace is forgotten altogether, with password and second factor; invited again, they are somebody new. Returns them as they were.',
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
      method: 'POST',
      path: '/v1/invitations',
      about: 'body',
      tag: TAG,
      summary: 'Invite somebody into a Workspace',
      description:
        'The link is in this answer only, and is mailed if the service sends mails. It works once, for 72 hours. An open invitation of the same address ends.',
      keepsAnswer: false,
      body: Invite,
      answer: Type.Object({
        success: Type.Literal(true),
        data: Invitation,
        link: Type.String(),
        mailed: Type.Boolean(),
      }),
      refusals: [
        noWorkspace,
        ownersOnly,
        { code: 'CONFLICT', reason: 'already_member', when: 'they are in the Workspace' },
      ],
      example: {
        body: { workspaceId: 'ws_01ka3m…', email: 'grace@example.com', role: 'finance' },
        answer: {
          success: true,
          data: invitationExample,
          link: 'https://refer.example.com/console/invitation#Zb0…',
          mailed: true,
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
      summary: 'List the invitations into a Workspace, newest first',
      query: Type.Object({ workspaceId: IdText(), ...cursorQuery }),
      answer: CursorList(Invitation),
      refusals: [noWorkspace],
      example: { answer: { success: true, data: [invitationExample], nextCursor: null } },
      handle: async ({ query: { workspaceId, ...query } }) => {
        const page = toCursorPage(query, 'inv');
        await assertWorkspace(reads, workspaceId);
        const now = toInstant(deps.clock.nowMs());
        const rows = await listInvitations(reads, workspaceId, page);
        return pageOf(rows, page, (row) => toInvitation(row, now));
      },
    }),
    operatorRoute({
      method: 'POST',
      path: '/v1/invitations/{invitationId}/revoke',
      about: itsInvitation,
      tag: TAG,
      summary: 'Revoke an invitation',
      answer: Success(Invitation),
      refusals: [{ code: 'NOT_FOUND', when: 'there is no such invitation' }, ownersOnly],
      example: { answer: success({ ...invitationExample, status: 'revoked' }) },
      handle: async ({ principal, request, params }) =>
        success(await revokeInvitation(deps, principal, request, params.invitationId as string)),
    }),
    openRoute({
      method: 'POST',
      path: '/v1/invitations/preview',
      tag: TAG,
      summary: 'Read what a link invites to',
      perMinute,
      body: ShowInvitation,
      answer: Success(OpenInvitation),
      refusals: [noInvitation],
      example: { body: { token: 'Zb0…' }, answer: success(openInvitationExample) },
      handle: async ({ body }) => success(await showInvitation(deps, body.token)),
    }),
    openRoute({
      method: 'POST',
      path: '/v1/invitations/accept',
      tag: TAG,
      summary: 'Accept an invitation',
      description:
        'Somebody new sends `name` and `password`, and is signed in. Whoever has an account signs in first and sends the token alone.',
      perMinute,
      body: AcceptInvitation,
      answer: Success(Type.Object({ workspaceId: Type.String(), role: Type.String() })),
      refusals: [
        noInvitation,
        noHttps,
        { code: 'FORBIDDEN', reason: 'other_user', when: 'somebody else is signed in' },
        {
          code: 'CONFLICT',
          reason: 'sign_in_first',
          when: 'the address has an account, and nobody is signed in',
        },
      ],
      example: {
        body: { token: 'Zb0…', name: 'Grace Example', password: 'a long one of your own' },
        answer: success(acceptedExample),
      },
      handle: async ({ principal, request, body, browser }) => {
        signIn.assertPossible();
        const { invitation, password } = await acceptInvitation(deps, principal, request, body);
        const { workspaceId, role, email } = invitation;
        const answer = success({ workspaceId, role });
        if (password === null) return answer;
        return new WithCookies(answer, await signIn.begin(browser, email, password));
      },
    }),
  ];
}
