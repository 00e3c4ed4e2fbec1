import { setTimeout as delay } from 'node:timers/promises';
import type { Queryable } from '../db/driver.ts';
import type { OpenStream } from '../http/routes/answers.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { FeedHints } from './hints.ts';
import { assertReached, type FeedDeps, readEvents } from './list-events.ts';
import type { FeedProject } from './render-event.ts';
import { listFeedPositions } from './store.ts';

/** Few, because a reader that stops reading leaves this many in memory. */
const PAGE = 100;
/**
 * A reader that is up to date reads again after this time at the earliest, whatever the number of
 * commits: a busy Project is read in pages, not event by event.
 */
const GATHER_MS = 20;

export interface StreamQuery {
  /** Where to begin, and the field of the request; null for the oldest event. */
  readonly after: { readonly cursor: string; readonly path: string } | null;
  readonly apiVersion: string;
}

/**
 * A Project's feed after a cursor, as it is written: the same events as `listEvents`, each with the
 * cursor to continue after it. Fails with INVALID_REQUEST for a cursor that is not of this feed, or
 * is ahead of it.
 */
export async function streamEvents(
  deps: FeedDeps & { readonly watch: FeedWatch },
  project: FeedProject,
  { after, apiVersion }: StreamQuery,
): Promise<OpenStream> {
  const { reads, keyring } = deps;
  const path = after?.path ?? '';
  const start = after === null ? 0 : decodeCursor(keyring, project.id, after.cursor, path);
  await assertReached(reads, project.id, start, path);

  return async function* (stopping) {
    const watcher = deps.watch.enter(project.id);
    const wake = () => watcher.wake();
    stopping.addEventListener('abort', wake);
    try {
      let position = start;
      while (!stopping.aborted) {
        watcher.listen();
        const events = await readEvents(deps, project, position, { limit: PAGE, apiVersion });
        position = events.at(-1)?.position ?? position;
        if (events.length > 0) {
          yield events.map(({ position: at, type, text }) => ({
            id: encodeCursor(keyring, project.id, at),
            type,
            data: text,
          }));
        } else {
          await assertReached(reads, project.id, position, path);
        }
        if (events.length === PAGE) continue;
        await delay(GATHER_MS, undefined, { signal: stopping }).catch(() => undefined);
        await watcher.wait();
      }
    } finally {
      stopping.removeEventListener('abort', wake);
      watcher.leave();
    }
  };
}

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
