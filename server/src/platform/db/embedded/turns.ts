import { setImmediate as nextLoop } from 'node:timers/promises';

/** How long turns may follow one another before sockets and timers get a look-in. */
const SLICE_MS = 10;
/** Each loop takes one new connection only: a burst of them must not wait for a slice each. */
const LOOPS = 16;

/**
 * One caller at a time, in the order they asked. The engine answers without ever leaving
 * the microtask queue, so a busy queue has to let the event loop run from time to time.
 */
export class Turns {
  #last: Promise<void> = Promise.resolve();
  #sliceStart = 0;

  /** Resolves with the function that ends the turn; until it is called everybody waits. */
  async acquire(): Promise<() => void> {
    const before = this.#last;
    let end = () => {};
    this.#last = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    if (performance.now() - this.#sliceStart > SLICE_MS) {
      for (let left = LOOPS; left > 0; left -= 1) await nextLoop();
      this.#sliceStart = performance.now();
    }
    return end;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const end = await this.acquire();
    try {
      return await work();
    } finally {
      end();
    }
  }
}
