import { performance } from 'node:perf_hooks';
import { setTimeout as rest, setImmediate as yieldNow } from 'node:timers/promises';

/** How long facts are taken before others have a turn. */
const TURN_MS = 2;
/** How long is looked at before the share is decided again. */
const WINDOW_MS = 100;
/** While others use less of the event loop, nobody has to wait. */
const QUIET = 0.1;
/** Of the time that others leave. */
const SHARE = 0.25;
const SHARE_MIN = 0.06;

/** The part of the time that work in the background may take while others use so much of the event loop. */
export function shareBeside(others: number): number {
  if (others < QUIET) return 1;
  return Math.max(SHARE_MIN, (1 - others) * SHARE);
}

/**
 * Shares the event loop of a process with its other work. It measures how much of the time the loop runs something else.
 * Processor time does not say that: it contains the threads that collect this work's garbage.
 */
export class Pace {
  readonly #readsBlock: boolean;
  /** Little, until it is known what others do. */
  #share = SHARE_MIN;
  #turnFrom = performance.now();
  #mark = performance.eventLoopUtilization();
  /** Since the share was decided: the time, and in it that of the event loop, and of this work. */
  #passed = 0;
  #active = 0;
  #own = 0;
  #since = performance.now();

  /** `readsBlock`: statements run on the event loop as well, as those of the embedded database do. */
  constructor({ readsBlock }: { readonly readsBlock: boolean }) {
    this.#readsBlock = readsBlock;
  }

  /** Resolves when the next facts may be taken. */
  async turn(): Promise<void> {
    const worked = performance.now() - this.#turnFrom;
    if (worked < TURN_MS) return;
    this.#own += worked;
    await yieldNow();
    await this.#rest(worked);
    this.#count();
    if (this.#passed >= WINDOW_MS) this.#decide();
    this.#turnFrom = performance.now();
  }

  /** Waits for a read. Whose work it is that the loop does meanwhile cannot be said, so it says nothing about others. */
  async during<T>(read: Promise<T>): Promise<T> {
    this.#own += performance.now() - this.#turnFrom;
    this.#count();
    const from = performance.now();
    const result = await read;
    const took = performance.now() - from;
    this.#begin();
    if (this.#readsBlock) await this.#rest(took);
    this.#turnFrom = performance.now();
    return result;
  }

  async #rest(worked: number): Promise<void> {
    if (this.#share < 1) await rest(worked / this.#share - worked);
  }

  #begin(): void {
    this.#since = performance.now();
    this.#mark = performance.eventLoopUtilization();
  }

  #count(): void {
    this.#passed += performance.now() - this.#since;
    this.#active += performance.eventLoopUtilization(this.#mark).active;
    this.#begin();
  }

  #decide(): void {
    this.#share = shareBeside(Math.max(0, this.#active - this.#own) / this.#passed);
    this.#passed = 0;
    this.#active = 0;
    this.#own = 0;
  }
}
