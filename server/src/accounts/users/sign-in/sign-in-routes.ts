import Type from 'typebox';
import { Success, success, WithCookies } from '../../../platform/http/routes/answers.ts';
import { openRoute } from '../../../platform/http/routes/public-routes.ts';
import type { Route } from '../../../platform/http/routes/route.ts';
import { sessionRoute } from '../../../platform/http/routes/user-routes.ts';
import { acceptedExample, openInvitationExample, sessionExample } from '../examples.ts';
import { showSession } from '../find-session.ts';
import {
  AcceptInvitation,
  OpenInvitation,
  Session,
  SetUp,
  SetupState,
  ShowInvitation,
  SignInOptions,
} from '../schema.ts';
import { setUp, showSetup } from '../set-up.ts';
import { acceptInvitation, showInvitation } from '../team/accept-invitation.ts';
import type { UserDeps } from '../user-deps.ts';
import type { SignIn } from './sign-in.ts';

const TAG = 'Team';
const noInvitation = {
  code: 'NOT_FOUND',
  when: 'the link was used or revoked, or is older than 72 hours',
} as const;
const noHttps = {
  code: 'FORBIDDEN',
  reason: 'https_required',
  when: 'the call came over plain http from another machine',
} as const;

/** Routes for people before they have signed in, and about themselves. */
export function signInRoutes(deps: UserDeps, signIn: SignIn): Route[] {
  const perMinute = deps.settings.signInsPerMinute;
  const readsPerMinute = 10 * perMinute;
  return [
    sessionRoute({
      method: 'GET',
      path: '/v1/session',
      tag: TAG,
      summary: 'Read the signed-in user, with their roles and permissions',
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
      summary: 'Read whether the first user still has to be created',
      perMinute: readsPerMinute,
      answer: Success(SetupState),
      example: { answer: success({ isOpen: true, needsWorkspaceName: true }) },
      handle: async () => success(await showSetup(deps)),
    }),
    openRoute({
      method: 'POST',
      path: '/v1/setup',
      tag: TAG,
      summary: 'Create the first user',
      description:
        'Needs the token from the link that the service prints at start-up while it has no users. The new user owns all Workspaces, or a new one if there are none, and is signed in.',
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
        { code: 'CONFLICT', reason: 'setup_done', when: 'the service already has a user' },
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
        const userId = await setUp(deps, request, body, signIn.isLocal(browser));
        const cookies = await signIn.begin(browser, body.email, body.password);
        return new WithCookies(success({ userId }), cookies);
      },
    }),
    openRoute({
      method: 'POST',
      path: '/v1/invitations/preview',
      tag: TAG,
      summary: 'Read the invitation behind a link',
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
        'A person without an account sends `name` and `password` and is then signed in. A person with an account signs in first and sends only the token.',
      perMinute,
      body: AcceptInvitation,
      answer: Success(Type.Object({ workspaceId: Type.String(), role: Type.String() })),
      refusals: [
        noInvitation,
        noHttps,
        { code: 'FORBIDDEN', reason: 'other_user', when: 'a different user is signed in' },
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
        const { invitation, password } = await acceptInvitation(deps, principal, request, {
          ...body,
          isLocal: signIn.isLocal(browser),
        });
        const { workspaceId, role, email } = invitation;
        const answer = success({ workspaceId, role });
        if (password === null) return answer;
        return new WithCookies(answer, await signIn.begin(browser, email, password));
      },
    }),
  ];
}
