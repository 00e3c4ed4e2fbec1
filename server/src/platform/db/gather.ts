import { unavailable } from '../kit/errors.ts';
import { isUnavailable } from './database.ts';

export interface GatherOptions<C, A> {
  /** The answers to several calls, in their order. One that takes longer than the others may be a promise. */
  run(calls: readonly C[]): Promise<readonly (A | Promise<A>)[]>;
  /** Calls that run together. */
  readonly sizeMax: number;
  /** How often `run` is in progress at once. What arrives meanwhile waits, and then runs together. */
  readonly atOnce: number;
  /** Calls that may wait; more are refused with 503. */
  readonly waitingMax: number;
  /** How long a call may wait before it is refused with 503. */
  readonly waitMs: number;
}

interface Waiting<C, A> {
  readonly call: C;
  readonly sinceMs: number;
  resolve(answer: A | Promise<A>): void;
  reject(error: unknown): void;
}

/**
 * A function whose concurrent calls run together. A call only runs with a `run` that starts after it,
 * so it sees all that was saved before it. Nobody fails because of another: after an error, each runs
 * alone. If the database is unavailable, all fail: running each alone would multiply the wait, or write
 * again what may be written.
 */
export function gather<C, A>(options: GatherOptions<C, A>): (call: C) => Promise<A> {
  const queue: Waiting<C, A>[] = [];
  let running = 0;
  let isStarting = false;
  let isWatched = false;

  async function settle(batch: readonly Waiting<C, A>[]): Promise<void> {
    try {
      const answers = await options.run(batch.map(({ call }) => call));
      for (const [index, one] of batch.entries()) one.resolve(answers[index] as A | Promise<A>);
    } catch (error) {
      if (batch.length > 1 && !isUnavailable(error)) {
        await Promise.all(batch.map((one) => settle([one])));
        return;
      }
      for (const one of batch) one.reject(error);
    }
  }

  function start(): void {
    isStarting = false;
    while (queue.length > 0 && running < options.atOnce) {
      running += 1;
      settle(queue.splice(0, options.sizeMax)).finally(() => {
        running -= 1;
        start();
      });
    }
  }

  /** One timer for all, because most calls wait for milliseconds. */
  function watch(): void {
    if (isWatched || queue.length === 0) return;
    isWatched = true;
    setTimeout(() => {
      isWatched = false;
      const before = performance.now() - options.waitMs;
      const late = queue.findIndex(({ sinceMs }) => sinceMs > before);
      for (const one of queue.splice(0, late < 0 ? queue.length : late)) {
        one.reject(unavailable('The database takes too long. Try again shortly.', 'overloaded'));
      }
      watch();
    }, options.waitMs).unref();
  }

  return (call) =>
    new Promise((resolve, reject) => {
      if (queue.length >= options.waitingMax) {
        reject(unavailable('Too many calls are waiting. Try again shortly.', 'overloaded'));
        return;
      }
      queue.push({ call, sinceMs: performance.now(), resolve, reject });
      watch();
      if (isStarting || running >= options.atOnce) return;
      isStarting = true;
      // After all that has arrived at the sockets is read.
      setImmediate(start);
    });
}
