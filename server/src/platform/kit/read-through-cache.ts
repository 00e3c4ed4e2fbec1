import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

const ENTRIES_MAX = 10_000;

/** What a process remembers for a while of what it has read, so that it need not ask again. */
export class ReadThroughCache<T extends object> {
  readonly #entries: LRUCache<string, T>;
  /** Rises with every change, so that what was read before one is not remembered after it. */
  #changes = 0;

  constructor(clock: Clock, keepMs: number) {
    this.#entries = new LRUCache({
      max: ENTRIES_MAX,
      // One that is as old as this is still given.
      ttl: keepMs - 1,
      ttlResolution: 0,
      perf: { now: () => clock.nowMs() },
    });
  }

  /** What is not there is not remembered: it may come to be there. */
  async get(key: string, load: () => Promise<T | undefined>): Promise<T | undefined> {
    const known = this.#entries.get(key);
    if (known) return known;
    const changesBefore = this.#changes;
    const value = await load();
    if (changesBefore === this.#changes) this.#entries.set(key, value);
    return value;
  }

  /** Forgets what a change concerns; whatever is being read meanwhile is not remembered either. */
  forget(isConcerned: (value: T) => boolean): void {
    this.#changes += 1;
    for (const [key, value] of this.#entries.entries()) {
      if (isConcerned(value)) this.#entries.delete(key);
    }
  }
}
