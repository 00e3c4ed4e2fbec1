import { invalid } from '../../kit/errors.ts';

/** Lists whose pages end at a number: the next page continues below it. */
type List = 'rewards' | 'deliveries' | 'payouts';

export function encodeNumberCursor(list: List, number: number): string {
  return Buffer.from(`${list} ${number}`).toString('base64url');
}

/** Fails with INVALID_REQUEST for a cursor of another list, or none at all. */
export function decodeNumberCursor(list: List, cursor: string): number {
  const [name, number = '', ...rest] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  if (name !== list || !/^[1-9][0-9]{0,14}$/.test(number) || rest.length > 0) {
    throw invalid('cursor', 'is not a cursor of this list');
  }
  return Number(number);
}
