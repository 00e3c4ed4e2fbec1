import { randomBytes, timingSafeEqual } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/kit/errors.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';
import { isLoopback } from '../../platform/kit/parse-url.ts';

/** The maximum life of a session. */
const SESSION_SECONDS = 7 * 24 * 60 * 60;
const LANGUAGE_SECONDS = 365 * 24 * 60 * 60;

/** How cookies are set at the service's address. */
export interface CookieJar {
  readonly session: string;
  readonly form: string;
  /** The language that a reader chose. */
  readonly language: string;
  /** Sets a cookie until it expires; the form's cookie lasts until the browser is closed. */
  set(name: string, value: string): string;
  clear(name: string): string;
}

/**
 * Undefined where browsers would send cookies unencrypted over a network: nobody can sign in then.
 * With https no other host can set them (`__Host-`), and they are never sent without it.
 */
export function cookieJarFor(baseUrl: string): CookieJar | undefined {
  const secure = new URL(baseUrl).protocol === 'https:';
  if (!secure && !isLoopback(baseUrl)) return undefined;
  const prefix = secure ? '__Host-' : '';
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  const session = `${prefix}partner-session`;
  const language = `${prefix}partner-language`;
  const lives = new Map([
    [session, SESSION_SECONDS],
    [language, LANGUAGE_SECONDS],
  ]);
  return {
    session,
    form: `${prefix}partner-form`,
    language,
    set(name, value) {
      const maxAge = lives.get(name);
      const life = maxAge === undefined ? {} : { maxAge };
      return stringifySetCookie({ name, value, ...attributes, ...life });
    },
    clear: (name) => stringifySetCookie({ name, value: '', ...attributes, maxAge: 0 }),
  };
}

const VALUE = /^[\w-]{22}$/;

/** Ensures that a form comes from one of our pages, shown to the same browser. */
export interface FormGuard {
  /** The token of a page's forms; sets the matching cookie. */
  tokenFor(request: FastifyRequest, reply: FastifyReply): string;
  /** Fails with FORBIDDEN for a form of another site, or without the matching cookie. */
  check(request: FastifyRequest, form: URLSearchParams): void;
}

export function createFormGuard(keyring: Keyring, jar: CookieJar, baseUrl: string): FormGuard {
  const { origin } = new URL(baseUrl);
  const tokenOf = (value: string) =>
    keyring.hmac('partner-sign-in', `form\n${value}`).toString('base64url');
  const cookieOf = ({ headers }: FastifyRequest) => {
    const value = parseCookie(headers.cookie ?? '')[jar.form];
    return value !== undefined && VALUE.test(value) ? value : undefined;
  };
  return {
    tokenFor(request, reply) {
      const known = cookieOf(request);
      if (known !== undefined) return tokenOf(known);
      const value = randomBytes(16).toString('base64url');
      reply.header('set-cookie', jar.set(jar.form, value));
      return tokenOf(value);
    },
    check(request, form) {
      const { origin: sender, 'sec-fetch-site': site } = request.headers;
      const value = cookieOf(request);
      const isOurs =
        sender === origin &&
        (site === undefined || site === 'same-origin') &&
        value !== undefined &&
        isSame(form.get('form') ?? '', tokenOf(value));
      if (!isOurs) throw new AppError('FORBIDDEN', 'This form was not sent from our page.');
    },
  };
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
