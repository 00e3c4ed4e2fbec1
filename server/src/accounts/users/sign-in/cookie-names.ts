import { parseCookie } from 'cookie';
import { isLoopback } from '../../../platform/kit/parse-url.ts';

/** Names and attributes of the cookies for signing in. */
export interface CookieRules {
  readonly isSecure: boolean;
  /** Prefix of all names. With https, `__Host-`: no other host can set them. */
  readonly prefix: string;
  readonly session: string;
}

/** Undefined if browsers would send cookies unencrypted over a network: signing in is then impossible. */
export function cookieRulesFor(baseUrl: string): CookieRules | undefined {
  const isSecure = new URL(baseUrl).protocol === 'https:';
  if (!isSecure && !isLoopback(baseUrl)) return undefined;
  const prefix = isSecure ? '__Host-goodword' : 'goodword';
  return { isSecure, prefix, session: `${prefix}.session_token` };
}

/** The token in the session's cookie; its signature is ignored, because the token itself is secret. */
export function readSessionCookie(header: string, { session }: CookieRules): string | undefined {
  return parseCookie(header)[session]?.split('.', 1)[0];
}
