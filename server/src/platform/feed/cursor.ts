import { timingSafeEqual } from 'node:crypto';
import { AppError } from '../kit/errors.ts';
import type { Keyring } from '../kit/keyring.ts';

const POSITION_BYTES = 8;
const SEAL_BYTES = 12;

/**
 * A feed position that only this service can have given out for this Project: callers can
 * neither make one up nor carry one over to another Project.
 */
export function encodeCursor(keyring: Keyring, projectId: string, position: number): string {
  const bytes = Buffer.alloc(POSITION_BYTES);
  bytes.writeBigUInt64BE(BigInt(position));
  return Buffer.concat([bytes, seal(keyring, projectId, position)]).toString('base64url');
}

/**
 * Ends with INVALID_REQUEST for a cursor that this Project's feed did not give out; `path` is where
 * the caller sent it.
 */
export function decodeCursor(
  keyring: Keyring,
  projectId: string,
  cursor: string,
  path: string,
): number {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length === POSITION_BYTES + SEAL_BYTES && bytes.toString('base64url') === cursor) {
    const position = Number(bytes.readBigUInt64BE());
    const given = bytes.subarray(POSITION_BYTES);
    if (timingSafeEqual(given, seal(keyring, projectId, position))) return position;
  }
  const issue = 'is not a cursor of this project’s feed';
  throw new AppError('INVALID_REQUEST', `Invalid request: ${path} ${issue}.`, {
    reason: 'cursor_invalid',
    details: [{ path, issue }],
  });
}

function seal(keyring: Keyring, projectId: string, position: number): Buffer {
  return keyring.hmac('feed-cursor', `${projectId}\n${position}`).subarray(0, SEAL_BYTES);
}
