import { stringifySetCookie } from 'cookie';
import { isLoopback } from '../../platform/kit/parse-url.ts';

/** The maximum life of a session. */
const SESSION_SECONDS = 7 * 24 * 60 * 60;

/** How cookies are set at the service's address. */
export interface CookieJar {
  readonly session: string;
  readonly form: string;
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
  return {
    session,
    form: `${prefix}partner-form`,
    set(name, value) {
      const life = name === session ? { maxAge: SESSION_SECONDS } : {};
      return stringifySetCookie({ name, value, ...attributes, ...life });
    },
    clear: (name) => stringifySetCookie({ name, value: '', ...attributes, maxAge: 0 }),
  };
}
