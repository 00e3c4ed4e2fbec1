import { stringifySetCookie } from 'cookie';
import { isLoopback } from '../../platform/kit/parse-url.ts';

/** As long as a session lives at most. */
const SESSION_SECONDS = 7 * 24 * 60 * 60;

/** How cookies are set where the service is reached. */
export interface CookieJar {
  readonly session: string;
  readonly form: string;
  /** Sets a cookie until it runs out; the form's as long as the browser stays open. */
  set(name: string, value: string): string;
  clear(name: string): string;
}

/**
 * Undefined where browsers would send them in clear over a network: then nobody can sign in. With
 * https no other host can set them (`__Host-`), and they are never sent without it.
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
