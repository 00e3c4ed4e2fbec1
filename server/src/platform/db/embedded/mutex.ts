import { setImmediate as nextLoop } from 'node:timers/promises';

/** How long callers may run in sequence before the event loop serves sockets and timers. */
const SLICE_MS = 10;
/** Each iteration accepts only one new connection: a burst of them must not wait for a slice each. */
const LOOPS = 16;

/**
 * One caller at a time, in order of request. The engine responds without leaving the microtask
 * queue, so a busy queue must let the event loop run from time to time.
 */
export class Mutex {
  #last: Promise<void> = Promise.resolve();
  #sliceStart = 0;

  /** Resolves with the function that releases it. */
  async acquire(): Promise<() => void> {
    const before = this.#last;
    let release = () => {};
    this.#last = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    if (performance.now() - this.#sliceStart > SLICE_MS) {
      for (let left = LOOPS; left > 0; left -= 1) await nextLoop();
      this.#sliceStart = performance.now();
    }
    return release;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }
}
