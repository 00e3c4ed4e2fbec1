import { Mutex } from '../../../src/platform/db/embedded/mutex.ts';

/** Lets one caller after the other use the engine. There is no event loop that a busy queue would have to let run. */
export class LineMutex extends Mutex {
  #last: Promise<void> = Promise.resolve();

  override async acquire(): Promise<() => void> {
    const before = this.#last;
    let release = () => {};
    this.#last = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }
}
