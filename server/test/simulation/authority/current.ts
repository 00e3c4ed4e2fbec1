import { AsyncLocalStorage } from 'node:async_hooks';
import type { Owner, VirtualTime } from './virtual-time.ts';

/** What decides of the world that is being played. */
export interface Authority {
  readonly time: VirtualTime;
  readonly random: (max: number) => number;
}

/** Whose code runs: of which world, and of whom in it. */
interface Place {
  readonly authority: Authority;
  /** Null: the world's own. */
  readonly owner: Owner | null;
}

/** One for all worlds: each further one costs every promise of the process something. */
const places = new AsyncLocalStorage<Place>();

/**
 * That of the world whose code runs: what an ended world left behind has no part in the next. Null outside of worlds:
 * then the machine's own clock, timers and randomness count.
 */
export const authority = (): Authority | null => places.getStore()?.authority ?? null;

export const currentOwner = (): Owner | null => places.getStore()?.owner ?? null;

/** Everything that `work` starts, now or later, belongs to this world, and to nobody in it yet. */
export const playUnder = <T>(authority: Authority, work: () => T): T =>
  places.run({ authority, owner: null }, work);

/** Everything that `work` starts, now or later, belongs to this owner. */
export function runAs<T>(owner: Owner, work: () => T): T {
  const place = places.getStore();
  if (!place) throw new Error('There are owners in worlds only.');
  return places.run({ ...place, owner }, work);
}
