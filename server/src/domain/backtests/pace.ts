import { performance } from 'node:perf_hooks';
import { setTimeout as rest, setImmediate as yieldNow } from 'node:timers/promises';
import { createLimit } from '../../platform/kit/limit.ts';

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

/** The event loop, as far as work in the background needs it. */
export interface Loop {
  nowMs(): number;
  /** How long it ran something since the process started. */
  activeMs(): number;
  /** Resolves once everything else that is ready has run. */
  yieldNow(): Promise<void>;
  rest(ms: number): Promise<void>;
}

const eventLoop: Loop = {
  nowMs: () => performance.now(),
  activeMs: () => performance.eventLoopUtilization().active,
  yieldNow: () => yieldNow(),
  rest: (ms) => rest(ms),
};

/**
 * Shares the event loop of a process with its other work: the back-tests of all Projects together take one share, page by
 * page in turn. It measures how much of the time the loop runs something else. Processor time does not say that: it
 * contains the threads that collect this work's garbage.
 */
export class Pace {
  readonly #loop: Loop;
  readonly #readsBlock: boolean;
  readonly #oneByOne = createLimit(1);
  /** Little, until it is known what others do. */
  #share = SHARE_MIN;
  #turnFrom = 0;
  /** Since the share was decided: the time, and in it that of the event loop, and of this work. */
  #passed = 0;
  #active = 0;
  #own = 0;
  #since = 0;
  #activeSince = 0;

  /** `readsBlock`: statements run on the event loop as well, as those of the embedded database do. */
  constructor({ readsBlock }: { readonly readsBlock: boolean }, loop = eventLoop) {
    this.#readsBlock = readsBlock;
    this.#loop = loop;
  }

  /** Does a page of work once those that asked before have done theirs. */
  inTurn<T>(page: () => Promise<T>): Promise<T> {
    return this.#oneByOne(() => {
      this.#begin();
      this.#turnFrom = this.#loop.nowMs();
      return page();
    });
  }

  /** Resolves when the next facts of the page may be taken. */
  async turn(): Promise<void> {
    const worked = this.#loop.nowMs() - this.#turnFrom;
    if (worked < TURN_MS) return;
    this.#own += worked;
    await this.#makeWay(worked);
  }

  /**
   * Waits for a read, which is work like any other: others need the database as well. If it does not run on the event loop,
   * it cannot be said whose work the loop does meanwhile, so it says nothing about others.
   */
  async during<T>(read: Promise<T>): Promise<T> {
    this.#own += this.#loop.nowMs() - this.#turnFrom;
    this.#count();
    const from = this.#loop.nowMs();
    const result = await read;
    const took = this.#loop.nowMs() - from;
    if (this.#readsBlock) this.#own += took;
    else this.#begin();
    await this.#makeWay(took);
    return result;
  }

  /** Lets others run, and rests as long as the share demands. Looks at it again meanwhile: others may have become quiet. */
  async #makeWay(worked: number): Promise<void> {
    await this.#loop.yieldNow();
    this.#count();
    let rested = 0;
    for (let due = this.#restAfter(worked); rested < due; due = this.#restAfter(worked)) {
      const from = this.#loop.nowMs();
      await this.#loop.rest(Math.min(due - rested, WINDOW_MS));
      rested += this.#loop.nowMs() - from;
      this.#count();
    }
    this.#turnFrom = this.#loop.nowMs();
  }

  #restAfter(worked: number): number {
    return worked / this.#share - worked;
  }

  #begin(): void {
    this.#since = this.#loop.nowMs();
    this.#activeSince = this.#loop.activeMs();
  }

  #count(): void {
    this.#passed += this.#loop.nowMs() - this.#since;
    this.#active += this.#loop.activeMs() - this.#activeSince;
    this.#begin();
    if (this.#passed < WINDOW_MS) return;
    this.#share = shareBeside(Math.max(0, this.#active - this.#own) / this.#passed);
    this.#passed = 0;
    this.#active = 0;
    this.#own = 0;
  }
}
