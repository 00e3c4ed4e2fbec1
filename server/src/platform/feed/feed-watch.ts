import type { Queryable } from '../db/driver.ts';
import type { FeedHints } from './hints.ts';
import { listFeedPositions } from './store.ts';

/** Maximum delay of events whose hint was lost. */
const POLL_MS = 3_000;

/** Waits for new events of one Project. */
export interface Watcher {
  /** Later events wake it. Must be called before the feed is read. */
  listen(): void;
  /** Resolves when there are new events since `listen`, or it was woken. */
  wait(): Promise<void>;
  wake(): void;
  leave(): void;
}

/**
 * Wakes readers that wait for events: by hints and, because hints can be lost, by polling the
 * positions of all feeds in one statement. Does neither while nobody waits.
 */
export class FeedWatch {
  readonly #reads: Queryable;
  readonly #hints: FeedHints;
  readonly #watchers = new Map<string, Set<Watcher>>();
  /** The position of each feed at the last poll. */
  #positions: ReadonlyMap<string, number> = new Map();
  #stop: (() => void) | undefined;

  constructor(reads: Queryable, hints: FeedHints) {
    this.#reads = reads;
    this.#hints = hints;
  }

  enter(projectId: string): Watcher {
    const watchers = this.#watchers.get(projectId) ?? new Set();
    const watcher = makeWatcher(() => {
      watchers.delete(watcher);
      if (watchers.size === 0) this.#watchers.delete(projectId);
      if (this.#watchers.size === 0) this.#sleep();
    });
    this.#watchers.set(projectId, watchers.add(watcher));
    this.#stop ??= this.#begin();
    return watcher;
  }

  #begin(): () => void {
    const unsubscribe = this.#hints.subscribe((hint) => this.#wake(hint?.projectId ?? null));
    const poll = setInterval(() => void this.#poll(), POLL_MS);
    return () => {
      unsubscribe();
      clearInterval(poll);
    };
  }

  #sleep(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#positions = new Map();
  }

  #wake(projectId: string | null): void {
    const sets = projectId === null ? this.#watchers.values() : [this.#watchers.get(projectId)];
    for (const set of sets) for (const watcher of set ?? []) watcher.wake();
  }

  /** Every write since the last poll has changed the position. */
  async #poll(): Promise<void> {
    const before = this.#positions;
    // The readers notice by themselves that the database is unavailable.
    const now = await listFeedPositions(this.#reads, [...this.#watchers.keys()]).catch(() => null);
    if (now === null) return;
    this.#positions = now;
    for (const [projectId, position] of now) {
      if (before.get(projectId) !== position) this.#wake(projectId);
    }
  }
}

function makeWatcher(leave: () => void): Watcher {
  let isWoken = false;
  let resume: (() => void) | undefined;
  return {
    listen() {
      isWoken = false;
    },
    wait: () =>
      new Promise((resolve) => {
        resume = resolve;
        if (isWoken) resolve();
      }),
    wake() {
      isWoken = true;
      resume?.();
    },
    leave,
  };
}
