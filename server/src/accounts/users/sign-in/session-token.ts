import { createHash } from 'node:crypto';

/** As the library makes them. */
const TOKEN = /^[A-Za-z0-9]{32}$/;
/** No token has a colon in it: what stands for a session by its id is never taken for one. */
const HANDLE = 'session:';

export function isSessionToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Tokens are random enough to need no slow hash: who reads the store signs nobody in. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** What stands for the token where only its hash is known, to end the session by. */
export function toHandle(sessionId: string): string {
  return `${HANDLE}${sessionId}`;
}

/** The session's id; undefined for what is no handle. */
export function readHandle(text: string): string | undefined {
  return text.startsWith(HANDLE) ? text.slice(HANDLE.length) : undefined;
}
