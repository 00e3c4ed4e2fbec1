import type { Span } from '../../kit/tracer.ts';
import type { Command, Handler, Outcome } from './project-write.ts';

/** A command that waits to be written, and its caller for the answer. */
export interface Waiting {
  /** The span of the call. */
  readonly span: Span | null;
  readonly handler: Handler<unknown, unknown, unknown>;
  readonly command: Command<unknown>;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** The longest prefix of the queue for one handler, at most `max` commands. */
export function takeBatch(queue: Waiting[], max = Number.POSITIVE_INFINITY): Waiting[] {
  const { handler } = queue[0] as Waiting;
  const keys = new Set<string>();
  let size = 0;
  for (const { handler: next, command } of queue) {
    if (next !== handler || size === handler.batchMax || size === max) break;
    const key = command.request.idempotency?.keyHash;
    // The second use of a key must find the answer of the first.
    if (key !== undefined && keys.has(key)) break;
    if (key !== undefined) keys.add(key);
    size += 1;
  }
  return queue.splice(0, size);
}

export function deliver(batch: readonly Waiting[], outcomes: readonly Outcome<unknown>[]): void {
  for (const [index, waiting] of batch.entries()) {
    const outcome = outcomes[index] as Outcome<unknown>;
    if ('refused' in outcome) waiting.reject(outcome.refused);
    else waiting.resolve(outcome.answer);
  }
}
