import { parseCookie } from 'cookie';
import { isLoopback } from '../../../platform/kit/parse-url.ts';

/** How browsers that sign in are given cookies. */
export interface CookieRules {
  readonly isSecure: boolean;
  /** What all names begin with. With https, `__Host-`: no other host can set them. */
  readonly prefix: string;
  readonly session: string;
}

/** Undefined where browsers would send cookies in clear over a network: nobody can sign in there. */
export function cookieRulesFor(baseUrl: string): CookieRules | undefined {
  const isSecure = new URL(baseUrl).protocol === 'https:';
  if (!isSecure && !isLoopback(baseUrl)) return undefined;
  const prefix = isSecure ? '__Host-goodword' : 'goodword';
  return { isSecure, prefix, session: `${prefix}.session_token` };
}

/** The token in the session's cookie; its signature is not looked at, since the token itself is secret. */
export function readSessionCookie(header: string, { session }: CookieRules): string | undefined {
  return parseCookie(header)[session]?.split('.', 1)[0];
}
