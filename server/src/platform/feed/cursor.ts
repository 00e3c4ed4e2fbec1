import { AppError } from '../kit/errors.ts';
import type { Keyring } from '../kit/keyring.ts';
import { type CursorScope, openNumber, sealNumber } from './sealed-number.ts';

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
