import { setTimeout as delay } from 'node:timers/promises';
import { Refused } from './goodword.js';

const RETRY_MS = 1_000;

/**
 * What Goodword is still to be told, one thing after another in the order in which it happened. What
 * fails is sent again, so that nobody's signup or purchase hangs on it. A real shop keeps this in its
 * database, written together with the signup or the order itself.
 */
export class Outbox {
  #last = Promise.resolve();

  /**
   * Resolves once it is done with.
   * @param {() => Promise<void>} send May be called again.
   * @param {(error: Error) => void} onFailure
   */
  add(send, onFailure) {
    this.#last = this.#last.then(() => sendUntilDone(send, onFailure));
    return this.#last;
  }
}

/**
 * @param {() => Promise<void>} send
 * @param {(error: Error) => void} onFailure
 */
async function sendUntilDone(send, onFailure) {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      onFailure(/** @type {Error} */ (error));
      if (error instanceof Refused) return;
      await delay(RETRY_MS, undefined, { ref: false });
    }
  }
}
