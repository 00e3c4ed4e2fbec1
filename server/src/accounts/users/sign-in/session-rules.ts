import { createHash } from 'node:crypto';
import { parseCookie } from 'cookie';
import { addMs, DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../../platform/kit/instant.ts';
import { isLoopback } from '../../../platform/kit/parse-url.ts';

/** The format of the library's tokens. */
const TOKEN = /^[A-Za-z0-9]{32}$/;
/** Tokens never contain a colon: a handle is never mistaken for one. */
const HANDLE = 'session:';

export function isSessionToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Tokens are random enough to need no slow hash. Reading the database is not enough to sign in. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Replaces the token where only its hash is known; used to end the session. */
export function toHandle(sessionId: string): string {
  return `${HANDLE}${sessionId}`;
}

/** The session's id; undefined if it is not a handle. */
export function readHandle(text: string): string | undefined {
  return text.startsWith(HANDLE) ? text.slice(HANDLE.length) : undefined;
}

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

/** A session ends after this time without use, */
export const IDLE_MS = 12 * HOUR_MS;
/** and at the latest this long after it began. */
export const LIFE_MS = 7 * DAY_MS;
/** The last-seen time is saved at most this often. */
export const SEEN_STEP_MS = 5 * MINUTE_MS;
export const INVITATION_MS = 3 * DAY_MS;

export interface SessionTimes {
  readonly createdAt: Instant;
  readonly seenAt: Instant;
}

/** When a session ends, unless it is used before. */
export function endOf({ createdAt, seenAt }: SessionTimes): Instant {
  const [idle, last] = [addMs(seenAt, IDLE_MS), addMs(createdAt, LIFE_MS)];
  if (idle < last) return idle;
  return last;
}

export function isLive(session: SessionTimes, now: Instant): boolean {
  return now < endOf(session);
}

/** Sessions that began and were last seen after these times are live. */
export function liveSince(now: Instant): { createdAfter: Instant; seenAfter: Instant } {
  return { createdAfter: addMs(now, -LIFE_MS), seenAfter: addMs(now, -IDLE_MS) };
}
