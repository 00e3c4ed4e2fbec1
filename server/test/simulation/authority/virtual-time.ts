import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';

/** Whose code runs: a simulated process, or the world itself. A stopped owner's timers never fire. */
export interface Owner {
  readonly name: string;
  state: 'running' | 'frozen' | 'dead';
}

interface Timer {
  readonly id: number;
  readonly owner: Owner;
  readonly run: () => void;
  dueMs: number;
  /** Of timers due at the same time, in which order they run. */
  readonly rank: number;
  readonly everyMs: number | null;
}

const realImmediate = setImmediate;
const RealDate = Date;

/** Ends a simulation whose timers never let time pass. */
const STEPS_IN_ONE_MS = 200_000;

/**
 * The only clock and the only timers of a simulation. Nothing waits: when all that can run has run, time jumps to the
 * next timer. Timers that are due together run in an order that the seed decides.
 */
export class VirtualTime {
  readonly #owners = new AsyncLocalStorage<Owner>();
  readonly #world: Owner = { name: 'world', state: 'running' };
  readonly #timers = new Map<number, Timer>();
  readonly #random: (max: number) => number;
  #ms: number;
  #lastId = 0;
  #steps = 0;

  constructor(startMs: number, random: (max: number) => number) {
    this.#ms = startMs;
    this.#random = random;
  }

  get nowMs(): number {
    return this.#ms;
  }

  get owner(): Owner {
    return this.#owners.getStore() ?? this.#world;
  }

  /** Everything that `work` starts, now or later, belongs to this owner. */
  as<T>(owner: Owner, work: () => T): T {
    return this.#owners.run(owner, work);
  }

  addTimer(run: () => void, delayMs: number, everyMs: number | null = null): number {
    const id = ++this.#lastId;
    const dueMs = this.#ms + Math.max(0, Number.isFinite(delayMs) ? delayMs : 0);
    this.#timers.set(id, {
      id,
      owner: this.owner,
      run,
      dueMs,
      rank: this.#random(2 ** 30),
      everyMs,
    });
    return id;
  }

  removeTimer(id: number): void {
    this.#timers.delete(id);
  }

  dropTimersOf(owner: Owner): void {
    for (const [id, timer] of this.#timers) if (timer.owner === owner) this.#timers.delete(id);
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.addTimer(resolve, ms));
  }

  /** Everybody sleeps so long, as if all machines had been suspended: what came due meanwhile comes late. */
  jump(ms: number): void {
    this.#ms += ms;
  }

  /** Runs until `work` has ended, or time is over. */
  async runUntil(work: Promise<unknown>, limitMs = Number.POSITIVE_INFINITY): Promise<void> {
    let isDone = false;
    let failure: unknown;
    work.then(
      () => {
        isDone = true;
      },
      (error) => {
        isDone = true;
        failure = error;
      },
    );
    for (;;) {
      await settle();
      if (isDone) break;
      const next = this.#next();
      if (next === undefined)
        throw new Error('Nothing will ever happen again: the simulation is stuck.');
      if (next.dueMs > limitMs) throw new Error('The time of this simulation is over.');
      this.#step(next);
    }
    if (failure !== undefined) throw failure;
  }

  #next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers.values()) {
      if (timer.owner.state === 'frozen') continue;
      if (
        !first ||
        timer.dueMs < first.dueMs ||
        (timer.dueMs === first.dueMs && timer.rank < first.rank)
      )
        first = timer;
    }
    return first;
  }

  #step(timer: Timer): void {
    // A frozen owner wakes up late.
    if (timer.dueMs > this.#ms) {
      this.#ms = timer.dueMs;
      this.#steps = 0;
    }
    this.#steps += 1;
    if (this.#steps > STEPS_IN_ONE_MS)
      throw new Error('Time stands still: timers of no delay go on for ever.');
    if (timer.everyMs === null) this.#timers.delete(timer.id);
    else timer.dueMs = this.#ms + Math.max(1, timer.everyMs);
    if (timer.owner.state !== 'dead') this.#owners.run(timer.owner, timer.run);
  }
}

/** Lets everything run that waits for nothing outside. */
function settle(): Promise<void> {
  return new Promise((resolve) => realImmediate(resolve));
}

/** Replaces the clock and the timers of this process for good. */
export function install(current: () => VirtualTime): void {
  const handle = (id: number) => ({
    id,
    ref: () => handle(id),
    unref: () => handle(id),
    hasRef: () => true,
    refresh: () => handle(id),
    [Symbol.toPrimitive]: () => id,
    [Symbol.dispose]: () => current().removeTimer(id),
  });
  const idOf = (given: unknown): number =>
    typeof given === 'object' && given !== null ? (given as { id: number }).id : Number(given);
  const clear = (given: unknown) => {
    if (given !== undefined && given !== null) current().removeTimer(idOf(given));
  };
  const replaced = {
    setTimeout: (run: (...args: unknown[]) => void, ms = 1, ...args: unknown[]) =>
      handle(current().addTimer(() => run(...args), Math.max(1, ms))),
    setInterval: (run: (...args: unknown[]) => void, ms = 1, ...args: unknown[]) =>
      handle(current().addTimer(() => run(...args), Math.max(1, ms), Math.max(1, ms))),
    setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) =>
      handle(current().addTimer(() => run(...args), 0)),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  };
  Object.assign(globalThis, replaced);
  Object.assign(timers, replaced);
  const wait = <T>(delayMs: number, value: T, options: { signal?: AbortSignal } = {}) =>
    new Promise<T>((resolve, reject) => {
      const { signal } = options;
      const aborted = () =>
        Object.assign(new Error('The operation was aborted'), {
          name: 'AbortError',
          code: 'ABORT_ERR',
          cause: signal?.reason,
        });
      if (signal?.aborted) return reject(aborted());
      const onAbort = () => {
        current().removeTimer(id);
        reject(aborted());
      };
      const id = current().addTimer(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve(value);
      }, delayMs);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  Object.assign(timersPromises, {
    setTimeout: <T>(ms = 1, value?: T, options?: { signal?: AbortSignal }) =>
      wait(Math.max(1, ms), value, options),
    setImmediate: <T>(value?: T, options?: { signal?: AbortSignal }) => wait(0, value, options),
  });
  class SimulatedDate extends RealDate {
    constructor(...args: unknown[]) {
      if (args.length === 0) super(current().nowMs);
      // biome-ignore lint/suspicious/noExplicitAny: the overloads of Date
      else super(...(args as [any]));
    }
    static override now(): number {
      return current().nowMs;
    }
  }
  globalThis.Date = SimulatedDate as DateConstructor;
  performance.now = () => current().nowMs;
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    current().addTimer(
      () => controller.abort(new DOMException('The operation timed out.', 'TimeoutError')),
      ms,
    );
    return controller.signal;
  };
  syncBuiltinESMExports();
}
