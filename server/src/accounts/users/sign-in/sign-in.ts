import { networkOf } from '../../../platform/http/access/client-address.ts';
import type { UserPrincipal, Visit } from '../../../platform/http/access/principal.ts';
import { RateLimit, type Verdict } from '../../../platform/http/access/rate-limit.ts';
import type { Browser } from '../../../platform/http/routes/route.ts';
import type { Clock } from '../../../platform/kit/clock.ts';
import { AppError } from '../../../platform/kit/errors.ts';
import { isFromThisMachine, isLoopback } from '../../../platform/kit/parse-url.ts';
import { findUser } from '../find-session.ts';
import type { UserDeps } from '../user-deps.ts';
import { type AuthCall, watchAuthCall } from './auth-call.ts';
import { ADDRESS_HEADER, AUTH_PATH, OIDC_ID } from './auth-paths.ts';
import type { Auth } from './create-auth.ts';
import { cookieRulesFor } from './session-rules.ts';

/** The headers of a browser's request that are passed to the library. */
const HEADERS_SHOWN = ['cookie', 'user-agent'] as const;
const PROVIDER_PATHS = ['/sign-in/social', '/link-social', `/callback/${OIDC_ID}`];

export interface AuthAnswer {
  readonly status: number;
  /** Target of a redirect, or null. */
  readonly location: string | null;
  readonly cookies: readonly string[];
  readonly body: unknown;
  readonly call: AuthCall;
}

/** One call of the library. */
interface AskedOfAuth {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  /** The signed-in user, if any. */
  readonly userId?: string | undefined;
}

/** Signs in and out, and finds who is signed in. */
export interface SignIn {
  readonly origin: string;
  readonly limits: SignInLimits;
  findUser(cookies: string, visit: Visit): Promise<UserPrincipal | undefined>;
  /** Whether an account that this browser creates may set up its second factor later. */
  isLocal(browser: Browser): boolean;
  /** Calls the library, whose refusals are responses. Fails with FORBIDDEN if signing in is impossible. */
  ask(browser: Browser, asked: AskedOfAuth): Promise<AuthAnswer>;
  /** The cookies of a user who has just given their password. */
  begin(browser: Browser, email: string, password: string): Promise<readonly string[]>;
  /** Fails with FORBIDDEN if browsers would send cookies unencrypted over a network. */
  assertPossible(): void;
}

export function createSignIn(deps: UserDeps): SignIn {
  const { settings, clock } = deps;
  const rules = cookieRulesFor(settings.baseUrl);
  const { origin } = new URL(settings.baseUrl);
  // A proxy on this machine makes every call look local: then BASE_URL is the public address.
  const isOwnMachine = isLoopback(settings.baseUrl);
  const narrow = (visit: Visit): Visit => ({ ...visit, isLocal: visit.isLocal && isOwnMachine });
  let plain: Auth | undefined;
  // Creating it requests the provider's configuration. Passwords do not wait for that.
  let provided: Auth | undefined;
  const findAuth = async (path: string): Promise<Auth> => {
    if (!rules) throw notPossible();
    // Large, and used by people only: it is loaded with the first of them.
    const { createAuth } = await import('./create-auth.ts');
    plain ??= createAuth(deps, rules, null);
    if (!settings.oidc || !PROVIDER_PATHS.includes(path.split('?', 1)[0] as string)) return plain;
    provided ??= createAuth(deps, rules, settings.oidc);
    // The provider could not be reached then: perhaps it can now.
    const { socialProviders } = await provided.$context;
    if (socialProviders.length === 0) provided = createAuth(deps, rules, settings.oidc);
    return provided;
  };
  const ask: SignIn['ask'] = async (browser, { method, path, body, userId }) => {
    const { handler } = await findAuth(path);
    const headers = new Headers({ origin, [ADDRESS_HEADER]: browser.ip });
    for (const name of HEADERS_SHOWN) {
      const value = browser.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    if (body !== undefined) headers.set('content-type', 'application/json');
    const request = new Request(`${origin}${AUTH_PATH}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const code = typeof body?.code === 'string' ? body.code : null;
    const { answer, call } = await watchAuthCall(
      { requestId: browser.id, userId: userId ?? null, code },
      () => handler(request),
    );
    const text = await answer.text();
    if (answer.status >= 500) throw call.failure ?? new Error('The sign-in library failed.');
    return {
      status: answer.status,
      location: answer.headers.get('location'),
      cookies: answer.headers.getSetCookie(),
      body: text === '' ? null : readJson(text),
      call,
    };
  };
  return {
    origin,
    limits: new SignInLimits(clock, settings.signInsPerMinute),
    findUser: async (cookies, visit) =>
      rules ? findUser(deps, rules, cookies, narrow(visit)) : undefined,
    isLocal: (browser) => isOwnMachine && isFromThisMachine(browser),
    ask,
    async begin(browser, email, password) {
      const { cookie: _, ...headers } = browser.headers;
      const bare = { id: browser.id, ip: browser.ip, headers };
      const { status, cookies } = await ask(bare, {
        method: 'POST',
        path: '/sign-in/email',
        body: { email, password },
      });
      if (status !== 200)
        throw new Error(
          `A user could not be signed in after creating the account (status ${status}).`,
        );
      return cookies;
    },
    assertPossible() {
      if (!rules) throw notPossible();
    },
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function notPossible(): AppError {
  return new AppError(
    'FORBIDDEN',
    'Signing in over plain http works only on the same machine. Serve the console over https, and set BASE_URL to its address.',
    { reason: 'https_required' },
  );
}

/** Attempts for one account from one address: so many at once, and one more each minute. */
const ACCOUNT_TRIES = 10;

/**
 * Slows down guessing. Each limit belongs to the address that the guesses come from: an attack on
 * an account from elsewhere does not lock its user out.
 */
class SignInLimits {
  readonly #addresses: RateLimit;
  readonly #accounts: RateLimit;

  constructor(clock: Clock, perMinute: number) {
    this.#addresses = new RateLimit(clock, 'sign-in', perMinute / 60, perMinute);
    this.#accounts = new RateLimit(clock, 'account', 1 / 60, Math.min(perMinute, ACCOUNT_TRIES));
  }

  /** Takes an attempt, which `giveBack` returns if it was right. Fails with RATE_LIMITED. */
  take(address: string, account: string | null): { giveBack(): void } {
    const place = networkOf(address);
    const key = account === null ? null : `${place} ${account.toLowerCase()}`;
    take(this.#addresses, place);
    try {
      if (key !== null) take(this.#accounts, key);
    } catch (refusal) {
      this.#addresses.giveBack(place);
      throw refusal;
    }
    return {
      giveBack: () => {
        this.#addresses.giveBack(place);
        if (key !== null) this.#accounts.giveBack(key);
      },
    };
  }
}

function take(limit: RateLimit, key: string): void {
  const verdict: Verdict = limit.take(key);
  if (!verdict.allowed) throw limit.refusal(verdict);
}
