/**
 * The Idempotency-Key of each write. A write without a response may have been carried out: when it
 * is repeated unchanged, it uses the same key, and the service carries it out once. Routes that
 * store no responses ignore the key.
 */
export class KeptKeys {
  readonly #unanswered = new Map<string, string>();

  /** `write` identifies a write: method, address and body. */
  keyFor(write: string): string {
    const kept = this.#unanswered.get(write);
    if (kept !== undefined) return kept;
    const key = newKey();
    this.#unanswered.set(write, key);
    return key;
  }

  /** The result is known: the same write again is a new one. */
  settle(write: string): void {
    this.#unanswered.delete(write);
  }
}

/** Also works on http, where `crypto.randomUUID` is missing. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `console-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
