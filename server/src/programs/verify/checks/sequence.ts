import type { Instant } from '../../../platform/kit/instant.ts';
import { type Difference, difference } from '../findings.ts';

export interface NumberedRow {
  readonly id: string;
  readonly number: bigint;
  readonly at: Instant;
}

/**
 * Checks the rows of one list in order: numbers count from 1 without gaps, and times never
 * decrease.
 */
export class Sequence {
  readonly #subject: string;
  #number = 0n;
  #at: Instant = '';

  constructor(subject: string) {
    this.#subject = subject;
  }

  get last(): { readonly number: bigint; readonly at: Instant } {
    return { number: this.#number, at: this.#at };
  }

  see({ id, number, at }: NumberedRow): Difference[] {
    const next = this.#number + 1n;
    const found: Difference[] = [];
    if (number !== next)
      found.push(difference(this.#subject, id, 'number', { stored: number, expected: next }));
    if (at < this.#at) {
      found.push(
        difference(this.#subject, id, 'time', { stored: at, expected: `${this.#at} or later` }),
      );
    } else {
      this.#at = at;
    }
    this.#number = number;
    return found;
  }
}
