import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { assertOwnPage } from '../../../platform/http/access/authenticate.ts';
import { totpRequired } from '../../../platform/http/access/authorize.ts';
import type { UserPrincipal } from '../../../platform/http/access/principal.ts';
import { assertStorable } from '../../../platform/http/routes/parse-json.ts';
import { invalid } from '../../../platform/kit/errors.ts';
import { isFromThisMachine } from '../../../platform/kit/parse-url.ts';
import { deleteOtherSessions, deletePending, findResetEmail, findUserById } from '../store.ts';
import type { UserDeps } from '../user-deps.ts';
import { noteAuthCall } from './audit-auth.ts';
import { AUTH_PATH, OIDC_ID } from './auth-paths.ts';
import { judgePassword } from './passwords.ts';
import type { AuthAnswer, SignIn } from './sign-in.ts';

interface AuthRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The fields of the body that are passed to the library. */
  readonly fields: readonly string[];
  /** Limits guesses per address: for the account named by `email`, for the session's user, or in all. */
  readonly guards?: 'email' | 'user' | 'address';
  /** Whether a user who must first set up a second factor may call it. */
  readonly isOpenBeforeTotp?: true;
}

const EMAIL_LENGTH_MAX = 254;
const FIELD_LENGTH_MAX = 2_048;

/** Where the provider redirects browsers to, with a code in the query. */
const CALLBACK = `/callback/${OIDC_ID}`;

/** The reachable part of the library; other paths do not exist. */
const AUTH_ROUTES: readonly AuthRoute[] = [
  {
    method: 'POST',
    path: '/sign-in/email',
    fields: ['email', 'password'],
    guards: 'email',
    isOpenBeforeTotp: true,
  },
  {
    method: 'POST',
    path: '/sign-in/social',
    fields: ['provider', 'callbackURL', 'errorCallbackURL'],
    guards: 'address',
    isOpenBeforeTotp: true,
  },
  { method: 'GET', path: CALLBACK, fields: [], isOpenBeforeTotp: true },
  {
    method: 'POST',
    path: '/link-social',
    fields: ['provider', 'callbackURL', 'errorCallbackURL'],
    guards: 'address',
  },
  { method: 'POST', path: '/sign-out', fields: [], isOpenBeforeTotp: true },
  {
    method: 'POST',
    path: '/two-factor/enable',
    fields: ['password'],
    guards: 'user',
    isOpenBeforeTotp: true,
  },
  {
    method: 'POST',
    path: '/two-factor/verify-totp',
    fields: ['code'],
    guards: 'address',
    isOpenBeforeTotp: true,
  },
  {
    method: 'POST',
    path: '/two-factor/verify-backup-code',
    fields: ['code'],
    guards: 'address',
    isOpenBeforeTotp: true,
  },
  {
    method: 'POST',
    path: '/two-factor/generate-backup-codes',
    fields: ['password'],
    guards: 'user',
    isOpenBeforeTotp: true,
  },
  {
    method: 'POST',
    path: '/two-factor/disable',
    fields: ['password'],
    guards: 'user',
    isOpenBeforeTotp: true,
  },
  { method: 'GET', path: '/list-sessions', fields: [] },
  { method: 'POST', path: '/revoke-session', fields: ['token'] },
  { method: 'POST', path: '/revoke-sessions', fields: [] },
  {
    method: 'POST',
    path: '/change-password',
    fields: ['currentPassword', 'newPassword', 'revokeOtherSessions'],
    guards: 'user',
  },
  { method: 'POST', path: '/request-password-reset', fields: ['email'], guards: 'email' },
  { method: 'POST', path: '/reset-password', fields: ['token', 'newPassword'], guards: 'address' },
];

/** The routes by which the console's pages sign people in and out. Their formats are the library's. */
export function registerAuthPages(app: FastifyInstance, deps: UserDeps, signIn: SignIn): void {
  for (const route of AUTH_ROUTES) {
    app.route({
      method: route.method,
      url: `${AUTH_PATH}${route.path}`,
      handler: (_request, reply) => answer(deps, signIn, route, reply),
    });
  }
}

async function answer(
  deps: UserDeps,
  signIn: SignIn,
  route: AuthRoute,
  reply: FastifyReply,
): Promise<unknown> {
  const { request } = reply;
  reply.header('cache-control', 'no-store');
  signIn.assertPossible();
  assertOwnPage(request, signIn.origin);
  const { cookie } = request.headers;
  const user =
    cookie === undefined
      ? undefined
      : await signIn.findUser(cookie, { isUse: true, isLocal: isFromThisMachine(request) });
  if (user?.mustSetUpTotp && !route.isOpenBeforeTotp) throw totpRequired();
  assertStorable(request.body);
  const body = route.method === 'POST' ? pick(request.body, route.fields) : undefined;
  assertShort(body ?? {});
  await checkNewPassword(deps, user, body);
  const attempt =
    route.guards && signIn.limits.take(request.ip, accountOf(route.guards, body, user));
  const path = route.path === CALLBACK ? route.path + queryOf(request) : route.path;
  const answered = await signIn.ask(request, {
    method: route.method,
    path,
    body,
    userId: user?.userId,
  });
  if (answered.status < 400 && route.path !== '/request-password-reset') attempt?.giveBack();
  await noteAuthCall(deps, { path: route.path, user, answered, request });
  await endOutdated(deps, route.path, user, answered);
  return send(reply, answered);
}

/**
 * Once a second factor is set up, it is required everywhere: sessions that began without one end.
 * After a password reset, other reset links are invalidated.
 */
async function endOutdated(
  deps: UserDeps,
  path: string,
  user: UserPrincipal | undefined,
  { status, call }: AuthAnswer,
): Promise<void> {
  if (status >= 400) return;
  const isSetUp = user !== undefined && path === '/two-factor/verify-totp' && call.began !== null;
  if (isSetUp) await endOtherSessions(deps, user.userId, call.began?.sessionId ?? '');
  if (call.resetOf !== null) await forgetPending(deps, call.resetOf);
}

/** Without the session's token, which is in a cookie that scripts cannot read. */
function send(reply: FastifyReply, { status, location, cookies, body: whole }: AuthAnswer) {
  const { token: _, ...body } = (whole ?? {}) as Record<string, unknown>;
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  if (location !== null) reply.header('location', location);
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(Array.isArray(whole) || whole === null ? whole : body));
}

function pick(body: unknown, fields: readonly string[]): Record<string, unknown> {
  const given = (body ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    fields.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  );
}

/** Overlong values are neither hashed, looked up nor stored. Fails with INVALID_REQUEST. */
function assertShort(body: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(body)) {
    const max = name === 'email' ? EMAIL_LENGTH_MAX : FIELD_LENGTH_MAX;
    if (typeof value === 'string' && value.length > max) {
      throw invalid(name, `must have at most ${max} characters`);
    }
  }
}

function accountOf(
  guards: NonNullable<AuthRoute['guards']>,
  body: Record<string, unknown> | undefined,
  user: UserPrincipal | undefined,
): string | null {
  if (guards === 'user') return user?.userId ?? null;
  return guards === 'email' && typeof body?.email === 'string' ? body.email : null;
}

/** Fails with INVALID_REQUEST. */
async function checkNewPassword(
  deps: UserDeps,
  user: UserPrincipal | undefined,
  body: Record<string, unknown> | undefined,
): Promise<void> {
  const password = body?.newPassword;
  if (typeof password !== 'string') return;
  const { reads } = deps.database;
  const email =
    typeof body?.token === 'string'
      ? await findResetEmail(reads, body.token)
      : user && (await findUserById(reads, user.userId))?.email;
  const fault = judgePassword(password, email ?? null);
  if (fault) throw invalid('newPassword', fault);
}

function queryOf(request: FastifyRequest): string {
  const at = request.url.indexOf('?');
  return at === -1 ? '' : request.url.slice(at);
}

type Deps = Pick<UserDeps, 'database' | 'userCache'>;

/** Ends all sessions of a user except this one. */
async function endOtherSessions(
  { database, userCache }: Deps,
  userId: string,
  sessionId: string,
): Promise<void> {
  await database.transaction(async (tx) => deleteOtherSessions(tx, userId, sessionId));
  userCache.forgetUser(userId);
}

/** Deletes a user's pending verifications, such as mailed links. */
async function forgetPending({ database }: Deps, userId: string): Promise<void> {
  await database.transaction(async (tx) => deletePending(tx, userId));
}
