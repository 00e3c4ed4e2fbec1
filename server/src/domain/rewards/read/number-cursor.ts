import { invalid } from '../../../platform/kit/errors.ts';

const CURSOR = /^rewards ([1-9][0-9]{0,14})$/;

/** Where a page of Rewards ended, by number: the next one goes on below it. */
export function encodeNumberCursor(number: number): string {
  return Buffer.from(`rewards ${number}`).toString('base64url');
}

/** Ends with INVALID_REQUEST for what is not a cursor of this list. */
export function decodeNumberCursor(cursor: string): number {
  const match = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (!match) throw invalid('cursor', 'is not a cursor of this list');
  return Number(match[1]);
}
