import { timingSafeEqual } from 'node:crypto';
import { invalid } from '../../platform/kit/errors.ts';
import type { Keyring } from '../../platform/kit/keyring.ts';

const NUMBER_BYTES = 6;
const SIGNATURE_BYTES = 16;

/** Whose list it is: a cursor of one is none of another. */
export interface ListOwner {
  readonly projectId: string;
  readonly programId: string;
  readonly participantId: string;
}

/** Where a page of somebody's Rewards ended, by number: the next one goes on below it. */
export function makeRewardsCursor(keyring: Keyring, owner: ListOwner, number: number): string {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeUIntBE(number, 0, NUMBER_BYTES);
  return Buffer.concat([bytes, sign(keyring, owner, number)]).toString('base64url');
}

/** Ends with INVALID_REQUEST for what was not made here for this list. */
export function readRewardsCursor(keyring: Keyring, owner: ListOwner, cursor: string): number {
  const bytes = Buffer.from(cursor, 'base64url');
  // Decoding is lenient, so that many texts give the same bytes: only ours is taken.
  if (bytes.length === NUMBER_BYTES + SIGNATURE_BYTES && bytes.toString('base64url') === cursor) {
    const number = bytes.readUIntBE(0, NUMBER_BYTES);
    if (timingSafeEqual(bytes.subarray(NUMBER_BYTES), sign(keyring, owner, number))) return number;
  }
  throw invalid('cursor', 'is not a cursor of this list');
}

function sign(keyring: Keyring, owner: ListOwner, number: number): Buffer {
  const claim = [owner.projectId, owner.programId, owner.participantId, number].join('\n');
  return keyring.hmac('widget-cursor', claim).subarray(0, SIGNATURE_BYTES);
}
