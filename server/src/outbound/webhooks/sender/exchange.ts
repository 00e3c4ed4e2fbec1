import type { Dispatcher } from 'undici';
import { explainFailure, type FailureReason, SendError } from '../dispatch/failure.ts';

/** How much of a response is read; for a longer one the connection is closed. */
export const ANSWER_BYTES_MAX = 65_536;

/** `latencyMs`: until the status line, or until the failure. */
export type SendResult =
  | {
      readonly outcome: 'answered';
      readonly status: number;
      /** Text that every database accepts; invalid UTF-8 is replaced. */
      readonly bodyStart: string;
      readonly latencyMs: number;
    }
  | {
      readonly outcome: 'failed';
      readonly reason: FailureReason;
      readonly message: string;
      readonly latencyMs: number;
    };

/**
 * One request and its response, as undici reports them, with one deadline for both. The body is
 * read until it ends, breaks, is long enough or too late. A status line in time is the response,
 * whatever happens to its body.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #startedMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #onResult: (result: SendResult, isWhole: boolean) => void;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;
  #answer: { readonly status: number; readonly latencyMs: number } | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #tooLate: SendError | undefined;
  #isOver = false;

  /** `isWhole`: the response was read to its end. */
  constructor(deadlineMs: number, onResult: (result: SendResult, isWhole: boolean) => void) {
    this.#onResult = onResult;
    this.#timer = setTimeout(() => {
      const what = this.#controller ? 'response' : 'connection';
      const error = new SendError('timed_out', `There was no ${what} within ${deadlineMs} ms.`);
      this.#tooLate = error;
      this.end(error);
      this.#controller?.abort(error);
    }, deadlineMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The connection was ready only after the deadline.
    if (this.#tooLate) controller.abort(this.#tooLate);
  }

  onResponseStart(_controller: unknown, status: number): void {
    // 1xx are not final responses.
    if (status >= 200) this.#answer = { status, latencyMs: this.#elapsedMs() };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length <= ANSWER_BYTES_MAX) return;
    const error = new Error('The response is longer than what is read of it.');
    this.end(error);
    controller.abort(error);
  }

  onResponseEnd(): void {
    this.end(null);
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.end(error);
  }

  /** Ends it: with the response as far as it was received, or with the reason for its absence. */
  end(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#onResult(
      this.#answer
        ? { outcome: 'answered', ...this.#answer, bodyStart: this.#bodyStart() }
        : { outcome: 'failed', ...explainFailure(error), latencyMs: this.#elapsedMs() },
      error === null,
    );
  }

  /**
   * Without a character that was cut in two at the end, and without NUL, which PostgreSQL's text
   * type refuses.
   */
  #bodyStart(): string {
    if (this.#length === 0) return '';
    const bytes = Buffer.concat(this.#chunks).subarray(0, ANSWER_BYTES_MAX);
    return new TextDecoder().decode(bytes, { stream: true }).replaceAll('\0', '\uFFFD');
  }

  #elapsedMs(): number {
    return Math.round(performance.now() - this.#startedMs);
  }
}
