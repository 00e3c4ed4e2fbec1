// What a backend keeps of the operations that it performs.

import type { Answer } from '../process/service-process.ts';
import type { Operation } from './operations.ts';
import type { KnownHistory } from './programs.ts';

/** Operations, and those that are in calls with others. */
export const flatten = (operations: readonly Operation[]): Operation[] =>
  operations.flatMap((one) => (one.kind === 'many' ? [one, ...one.operations] : [one]));

/** Everybody whom an operation names. */
export const namedIn = (operation: Operation): number[] =>
  [
    ...(operation.kind === 'many' ? operation.operations.flatMap(namedIn) : []),
    'person' in operation ? operation.person : null,
    'actor' in operation ? (operation.actor ?? null) : null,
    'referrer' in operation ? operation.referrer : null,
    ...('people' in operation ? operation.people : []),
    ...('rows' in operation ? operation.rows.flatMap((one) => [one.person, one.referrer]) : []),
  ].filter((one) => one !== null);

/** What looks for a reward first would find another one. */
export const REPEATABLE = [
  ...['bill', 'address'],
  ...['join', 'link', 'signup', 'buy', 'custom', 'leave', 'subscribe', 'import', 'many'],
  ...['refund', 'restore', 'dispute', 'win', 'lose'],
];

/** A call that the service has acknowledged, with what it answered. */
export interface Acknowledged {
  readonly operation: Operation;
  readonly answer: Answer;
  /** The handle that was sent with it. */
  readonly sent: string | null;
}

/** What the backend knew when the store was copied. */
export interface Remembered {
  readonly acknowledged: number;
  readonly acted: number;
  readonly reported: ReadonlySet<string>;
  readonly erased: ReadonlyMap<number, string>;
  readonly times: ReadonlyMap<string, string>;
  readonly programs: readonly KnownHistory[];
}

/** What is sent again after the store was lost. Grants and voids name rewards, which are others by then. */
export const SENT_AGAIN = [
  ...['bill', 'address', 'custom'],
  ...['join', 'leave', 'signup', 'buy', 'subscribe', 'refund', 'restore', 'dispute', 'win', 'lose'],
  ...['import', 'many', 'erase', 'details', 'terms', 'status', 'policy', 'watch'],
];

export function replaceAll<T>(set: Set<T>, by: ReadonlySet<T>): void {
  set.clear();
  for (const one of by) set.add(one);
}
