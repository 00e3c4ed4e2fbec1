import { Refusal } from './refusal.ts';

export interface Answer {
  readonly status: number;
  readonly body: object;
}

interface Kept {
  readonly request: string;
  /** Null while the first request is under way. */
  answer: Answer | null;
}

/**
 * What was answered under each idempotency key, errors included: a request that began is never
 * carried out twice, even when it ended badly. Stripe forgets keys after 24 hours.
 */
export class IdempotencyKeys {
  readonly #kept = new Map<string, Kept>();

  /** The kept answer of the same request, or null if this is the first under its key. */
  begin(key: string, request: string): Answer | null {
    const kept = this.#kept.get(key);
    if (!kept) {
      this.#kept.set(key, { request, answer: null });
      return null;
    }
    if (kept.request !== request) {
      throw new Refusal(
        400,
        'Keys for idempotent requests can only be used with the same parameters they were first used with.',
        { type: 'idempotency_error' },
      );
    }
    if (!kept.answer) {
      throw new Refusal(409, 'There is currently another in-progress request using this key.', {
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
      });
    }
    return kept.answer;
  }

  keep(key: string, answer: Answer): void {
    const kept = this.#kept.get(key);
    if (kept) kept.answer = answer;
  }

  /** Nothing is kept of a request that never began: bad parameters, a lock that was not free. */
  drop(key: string): void {
    this.#kept.delete(key);
  }

  forgetAll(): void {
    this.#kept.clear();
  }
}
