import type { WriteRequest } from './principal.ts';

/** Status of the response to a rehearsed call that would have been accepted. */
export const REHEARSED = 204;

/** Ends a rehearsed write, which would have been accepted. Its transaction is rolled back. */
export class Rehearsed extends Error {}

/** Call at the end of a transaction outside the project writer, before it is committed. */
export function endRehearsal({ isRehearsal }: Pick<WriteRequest, 'isRehearsal'>): void {
  if (isRehearsal) throw new Rehearsed('The write was rehearsed.');
}
