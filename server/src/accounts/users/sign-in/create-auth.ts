import { isAPIError } from 'better-auth/api';
import { betterAuth } from 'better-auth/minimal';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { OidcSettings } from '../../../platform/config/config.ts';
import { RateLimit } from '../../../platform/http/access/rate-limit.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import { hasAccount, hasPassword } from '../store.ts';
import { isInvited, joinInvited } from '../team/accept-invitation.ts';
import { sendReset } from '../team/link-mail.ts';
import type { UserDeps } from '../user-deps.ts';
import { createAuthAdapter } from './auth-adapter.ts';
import { currentAuthCall } from './auth-call.ts';
import { ADDRESS_HEADER, AUTH_PATH, OIDC_ID, RESET_SECONDS } from './auth-paths.ts';
import {
  hashPassword,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  verifyPassword,
} from './passwords.ts';
import { readSubject } from './read-subject.ts';
import { spendCode } from './second-factor.ts';
import { type CookieRules, LIFE_MS } from './session-rules.ts';

/** Per mailbox: enough for a user who loses one, too few to flood it. */
const RESETS_PER_HOUR = 3;

const PREFIXES: Readonly<Record<string, Parameters<NewId>[0]>> = {
  user: 'usr',
  session: 'ses',
  account: 'uac',
  twoFactor: 'utf',
};

interface ResetUser {
  readonly id: string;
  readonly email: string;
}

/** The sign-in library, with our tables, our clock and our rules. */
export function createAuth(deps: UserDeps, cookies: CookieRules, oidc: OidcSettings | null) {
  const { database, clock, newId, keyring, userCache, settings, mailer } = deps;
  const { origin } = new URL(settings.baseUrl);
  const resetMails = new RateLimit(clock, 'reset-mails', RESETS_PER_HOUR / 3_600, RESETS_PER_HOUR);
  return betterAuth({
    appName: 'Goodword',
    baseURL: origin,
    basePath: AUTH_PATH,
    trustedOrigins: [origin],
    secret: keyring.hmac('console-sign-in', 'cookies and second factors').toString('base64url'),
    telemetry: { enabled: false },
    // Its messages may quote a caller: only the error is reported.
    logger: {
      level: 'error',
      log: (level, _message, ...details) => {
        if (level !== 'error') return;
        const cause = details.find((detail) => detail instanceof Error);
        if (cause) deps.onFailure(cause, currentAuthCall()?.requestId ?? '');
      },
    },
    rateLimit: { enabled: false },
    onAPIError: {
      // Browsers whose sign-in at the provider failed are redirected here, with ?error=…
      errorURL: `${settings.baseUrl}/console/sign-in`,
      onError: (error) => {
        const call = currentAuthCall();
        if (call && !isAPIError(error)) call.failure = error;
      },
    },
    database: createAuthAdapter({
      database,
      clock,
      keyring,
      forgetUser: (userId) => userCache.forgetUser(userId),
      onWrongCode: (userId) => {
        const call = currentAuthCall();
        if (call) call.wrongCodeOf = userId;
      },
    }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH_MIN,
      maxPasswordLength: PASSWORD_LENGTH_MAX,
      password: {
        hash: (password) => hashPassword(password, settings.passwordCost),
        verify: ({ hash, password }) => verifyPassword(hash, password),
      },
      resetPasswordTokenExpiresIn: RESET_SECONDS,
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: async ({ user }) => {
        const call = currentAuthCall();
        if (call) call.resetOf = user.id;
      },
      ...(mailer
        ? {
            sendResetPassword: async ({ user, token }: { user: ResetUser; token: string }) => {
              // Users who sign in only at the provider must not bypass it.
              if (!(await hasPassword(database.reads, user.id))) return;
              // The response was already sent, and is always the same.
              if (!resetMails.take(user.id).allowed) return;
              await sendReset({ mailer, baseUrl: settings.baseUrl }, user.email, token);
            },
          }
        : {}),
    },
    user: {
      modelName: 'users',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
      // Only invited people get in, whatever the provider says.
      validateUserInfo: async ({ user, source }) => {
        const call = currentAuthCall();
        if (call && user.emailVerified && user.email) call.vouchedEmail = user.email;
        if (source.action === 'sign-in') return;
        if (!user.emailVerified) return { error: 'email_not_verified' };
        if (source.action === 'link-account') {
          // A matching address does not open an existing account, except one without any way to
          // sign in.
          const isOwn = call?.userId !== null && call?.userId === user.id;
          if (isOwn || !(await hasAccount(database.reads, user.id ?? ''))) return;
          return { error: 'account_not_linked' };
        }
        if (!(await isInvited(deps, user.email ?? ''))) return { error: 'not_invited' };
      },
    },
    session: {
      modelName: 'user_sessions',
      fields: {
        userId: 'user_id',
        token: 'token_hash',
        expiresAt: 'expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
      },
      additionalFields: { method: { type: 'string', required: false, input: false } },
      expiresIn: LIFE_MS / 1_000,
      disableSessionRefresh: true,
      // Actions that need a password ask for it.
      freshAge: 0,
      cookieCache: { enabled: false },
    },
    account: {
      modelName: 'user_accounts',
      fields: {
        userId: 'user_id',
        providerId: 'provider_id',
        accountId: 'account_id',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
      updateAccountOnSignIn: false,
    },
    verification: {
      modelName: 'user_verifications',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
      storeIdentifier: 'hashed',
    },
    databaseHooks: {
      account: {
        create: {
          after: async (account) => {
            const call = currentAuthCall();
            if (call && account.providerId === OIDC_ID) call.linkedTo = account.userId;
          },
        },
      },
      session: {
        create: {
          before: async (session, context) => {
            if (context?.path === '/two-factor/verify-totp') await spendCode(deps, session.userId);
            const isFromProvider = context?.path.startsWith('/callback/') === true;
            const before = (session as { method?: string }).method;
            return {
              data: { ...session, method: isFromProvider ? 'oidc' : (before ?? 'password') },
            };
          },
          after: async (session) => {
            const call = currentAuthCall();
            if (!call) return;
            const { id: sessionId, userId } = session;
            call.began = { sessionId, userId, method: String(session.method) };
            if (session.method === 'oidc' && call.vouchedEmail !== null) {
              await joinInvited(deps, userId, call.vouchedEmail);
            }
          },
        },
      },
    },
    advanced: {
      useSecureCookies: false,
      cookiePrefix: cookies.prefix,
      defaultCookieAttributes: {
        secure: cookies.isSecure,
        httpOnly: true,
        sameSite: 'lax',
        path: '/',
      },
      disableOriginCheck: false,
      disableCSRFCheck: false,
      // The response must not take longer for an existing address, as mailing would cause.
      backgroundTasks: { handler: (task) => void task },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: ({ model }) => newId(PREFIXES[model] ?? 'uvf') },
    },
    plugins: [
      twoFactor({
        issuer: 'Goodword',
        schema: {
          user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
          twoFactor: {
            modelName: 'user_two_factors',
            fields: {
              userId: 'user_id',
              backupCodes: 'backup_codes',
              failedVerificationCount: 'failed_verification_count',
              lockedUntil: 'locked_until',
            },
          },
        },
      }),
      ...(oidc ? [oidcPlugin(deps, oidc)] : []),
    ],
  });
}

export type Auth = ReturnType<typeof createAuth>;

function oidcPlugin(deps: UserDeps, { name, issuer, clientId, clientSecret }: OidcSettings) {
  return genericOAuth({
    config: [
      {
        providerId: OIDC_ID,
        name,
        discoveryUrl: `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`,
        clientId,
        clientSecret,
        scopes: ['openid', 'email', 'profile'],
        redirectURI: `${deps.settings.baseUrl}${AUTH_PATH}/callback/${OIDC_ID}`,
        pkce: true,
        requireIdTokenVerification: true,
        accountSubject: ({ tokens, profile }) => {
          try {
            return readSubject(tokens.idToken, profile, clientId);
          } catch (error) {
            // The browser only sees that it failed; the cause is for the person who configured the provider.
            deps.onFailure(error, currentAuthCall()?.requestId ?? '');
            throw error;
          }
        },
        mapProfileToUser: (profile) => ({
          // Some providers use values other than true: these do not count.
          emailVerified: profile.email_verified === true,
          name: profile.name || String(profile.email ?? ''),
        }),
      },
    ],
  });
}
