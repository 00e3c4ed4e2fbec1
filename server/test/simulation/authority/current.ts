import { AsyncLocalStorage } from 'node:async_hooks';
import type { VirtualTime } from './virtual-time.ts';

/** What decides of the world that is being played. */
export interface Authority {
  readonly time: VirtualTime;
  readonly random: (max: number) => number;
}

const worlds = new AsyncLocalStorage<Authority>();

/**
 * That of the world whose code runs: what an ended world left behind has no part in the next. Null outside of worlds:
 * then the machine's own clock, timers and randomness count.
 */
export const authority = (): Authority | null => worlds.getStore() ?? null;

/** Everything that `work` starts, now or later, belongs to this world. */
export const playUnder = <T>(authority: Authority, work: () => T): T => worlds.run(authority, work);
