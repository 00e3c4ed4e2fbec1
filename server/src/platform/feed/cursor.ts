import { timingSafeEqual } from 'node:crypto';
import { AppError } from '../kit/errors.ts';
import type { Keyring } from '../kit/keyring.ts';

/** Clients keep cursors: their layouts stay as they are. */
const LAYOUTS = {
  'feed-cursor': { numberBytes: 8, sealBytes: 12 },
  'widget-cursor': { numberBytes: 6, sealBytes: 16 },
} as const;

/** Which list a cursor belongs to, and whose list it is. */
export interface CursorScope {
  readonly purpose: keyof typeof LAYOUTS;
  readonly owner: readonly string[];
}

/** A number as a cursor that only this service can make, and that works for this scope alone. */
export function sealNumber(keyring: Keyring, scope: CursorScope, number: number): string {
  const { numberBytes } = LAYOUTS[scope.purpose];
  const bytes = Buffer.from(number.toString(16).padStart(2 * numberBytes, '0'), 'hex');
  return Buffer.concat([bytes, seal(keyring, scope, number)]).toString('base64url');
}

/** Undefined for a cursor that was not made here for this scope. */
export function openNumber(
  keyring: Keyring,
  scope: CursorScope,
  cursor: string,
): number | undefined {
  const { numberBytes, sealBytes } = LAYOUTS[scope.purpose];
  const bytes = Buffer.from(cursor, 'base64url');
  // Decoding is lenient: many texts give the same bytes, and only ours is accepted.
  const isWhole = bytes.length === numberBytes + sealBytes;
  if (!isWhole || bytes.toString('base64url') !== cursor) return undefined;
  const number = Number.parseInt(bytes.toString('hex', 0, numberBytes), 16);
  const isOurs = timingSafeEqual(bytes.subarray(numberBytes), seal(keyring, scope, number));
  return isOurs ? number : undefined;
}

function seal(keyring: Keyring, { purpose, owner }: CursorScope, number: number): Buffer {
  return keyring
    .hmac(purpose, [...owner, number].join('\n'))
    .subarray(0, LAYOUTS[purpose].sealBytes);
}

const scopeOf = (projectId: string): CursorScope => ({
  purpose: 'feed-cursor',
  owner: [projectId],
});

/** A position in a Project's feed, as its readers get it. */
export function encodeCursor(keyring: Keyring, projectId: string, position: number): string {
  return sealNumber(keyring, scopeOf(projectId), position);
}

/**
 * Fails with INVALID_REQUEST for a cursor that this Project's feed did not give out; `path` is where
 * the caller sent it.
 */
export function decodeCursor(
  keyring: Keyring,
  projectId: string,
  cursor: string,
  path: string,
): number {
  const position = openNumber(keyring, scopeOf(projectId), cursor);
  if (position !== undefined) return position;
  const issue = 'is not a cursor of this project’s feed';
  throw new AppError('INVALID_REQUEST', `Invalid request: ${path} ${issue}.`, {
    reason: 'cursor_invalid',
    details: [{ path, issue }],
  });
}
