import { invalid } from '../../../platform/kit/errors.ts';

const CURSOR = /^deliveries ([1-9][0-9]{0,14})$/;

/** How far a page of deliveries has looked, by position: the next one goes on below it. */
export function encodeDeliveryCursor(position: number): string {
  return Buffer.from(`deliveries ${position}`).toString('base64url');
}

/** Ends with INVALID_REQUEST for what is not a cursor of such a list. */
export function decodeDeliveryCursor(cursor: string): number {
  const match = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (!match) throw invalid('cursor', 'is not a cursor of this list');
  return Number(match[1]);
}
