/**
 * Under which Idempotency-Key each write is sent. One that got no answer may have been done all the
 * same: when it is sent again as it was, it goes under the same key, and the service does it once.
 * Routes that keep no answers take no notice of the key.
 */
export class KeptKeys {
  readonly #unanswered = new Map<string, string>();

  /** For a write, by all that makes it the same: method, address and body. */
  keyFor(write: string): string {
    const kept = this.#unanswered.get(write);
    if (kept !== undefined) return kept;
    const key = newKey();
    this.#unanswered.set(write, key);
    return key;
  }

  /** It is known what became of it: the same again is meant to be done again. */
  settle(write: string): void {
    this.#unanswered.delete(write);
  }
}

/** Works on http too, where `crypto.randomUUID` is missing. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `console-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
