/** The feed page's part of the stream: the newest events, up to a maximum. */
export interface Tail<T> {
  /** Newest first. */
  readonly rows: readonly T[];
  /** Received while paused, newest first; null while it runs. */
  readonly held: readonly T[] | null;
  /** How many were dropped to stay within the maximum. */
  readonly dropped: number;
}

export const EMPTY_TAIL: Tail<never> = { rows: [], held: null, dropped: 0 };

const cut = <T>(rows: readonly T[], max: number) => rows.slice(0, max);

/** Adds events in the order of arrival. While paused, the visible ones stay as they are. */
export function take<T>(tail: Tail<T>, arrived: readonly T[], max: number): Tail<T> {
  const newest = arrived.toReversed();
  const into = tail.held ?? tail.rows;
  const all = [...newest, ...into];
  const dropped = tail.dropped + Math.max(0, all.length - max);
  return tail.held === null
    ? { rows: cut(all, max), held: null, dropped }
    : { rows: tail.rows, held: cut(all, max), dropped };
}

export const pause = <T>(tail: Tail<T>): Tail<T> =>
  tail.held === null ? { ...tail, held: [] } : tail;

/** Also shows what was held back. */
export function resume<T>(tail: Tail<T>, max: number): Tail<T> {
  if (tail.held === null) return tail;
  const all = [...tail.held, ...tail.rows];
  return {
    rows: cut(all, max),
    held: null,
    dropped: tail.dropped + Math.max(0, all.length - max),
  };
}

export const clear = <T>(tail: Tail<T>): Tail<T> => ({
  rows: [],
  held: tail.held === null ? null : [],
  dropped: 0,
});

/** The wait before reconnecting, after this many consecutive failures. */
export const waitBefore = (failures: number): number => Math.min(30_000, 1_000 * 2 ** failures);
