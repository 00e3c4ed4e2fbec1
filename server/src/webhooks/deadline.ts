import { EventEmitter } from 'node:events';
import { SendError } from './failure.ts';

/**
 * Aborts a request of undici after a time. undici takes an emitter wherever it takes an
 * AbortSignal, and making a signal would cost a fifth of the whole request.
 */
export class Deadline extends EventEmitter {
  /** undici fails the request with it. */
  reason: SendError | null = null;
  readonly #timer: NodeJS.Timeout;

  constructor(limitMs: number) {
    super();
    this.#timer = setTimeout(() => {
      this.reason = new SendError('timed_out', `There was no answer within ${limitMs} ms.`);
      this.emit('abort');
    }, limitMs);
  }

  get aborted(): boolean {
    return this.reason !== null;
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
