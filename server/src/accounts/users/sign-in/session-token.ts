import { createHash } from 'node:crypto';

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
