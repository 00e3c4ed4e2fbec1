import { LRUCache } from 'lru-cache';
import type { Clock } from './clock.ts';

const ENTRIES_MAX = 10_000;

/** Caches values that a process has read, for a limited time. */
export class ReadThroughCache<T extends object> {
  readonly #clock: Clock;
  readonly #keepMs: number;
  /** Created with the first value: it reserves room for all entries, and a process has many of these caches. */
  #created: LRUCache<string, T> | undefined;
  /** Increases with every change, so that a value read before a change is not cached after it. */
  #changes = 0;

  constructor(clock: Clock, keepMs: number) {
    this.#clock = clock;
    this.#keepMs = keepMs;
  }

  /** Missing values are not cached: they may be created later. */
  async get(key: string, load: () => Promise<T | undefined>): Promise<T | undefined> {
    const known = this.#created?.get(key);
    if (known) return known;
    const changesBefore = this.#changes;
    const value = await load();
    if (value && changesBefore === this.#changes) this.#entries.set(key, value);
    return value;
  }

  /** Removes the affected values; values being read meanwhile are not cached either. */
  forget(isConcerned: (value: T) => boolean): void {
    this.#changes += 1;
    for (const [key, value] of this.#created?.entries() ?? []) {
      if (isConcerned(value)) this.#created?.delete(key);
    }
  }

  get #entries(): LRUCache<string, T> {
    this.#created ??= new LRUCache({
      max: ENTRIES_MAX,
      // A value of exactly this age is still returned.
      ttl: this.#keepMs - 1,
      ttlResolution: 0,
      perf: { now: () => this.#clock.nowMs() },
    });
    return this.#created;
  }
}
