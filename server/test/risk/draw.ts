import { makeRandom } from '../random.ts';

const STEPS = 1_000_000;

/** Chances and amounts, the same for the same seed. */
export class Draw {
  readonly #random: (max: number) => number;

  constructor(seed: number) {
    this.#random = makeRandom(seed);
  }

  /** From `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + this.#random(high - low + 1);
  }

  chance(percent: number): boolean {
    return this.#random(STEPS) < percent * (STEPS / 100);
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.#random(list.length)] ?? list[0];
  }

  /** Half of them are below the median; a few take many times as long. */
  around(median: number, spread = 1): number {
    const radius = Math.sqrt(-2 * Math.log((this.#random(STEPS) + 1) / (STEPS + 1)));
    const normal = radius * Math.cos((2 * Math.PI * this.#random(STEPS)) / STEPS);
    return median * Math.exp(spread * normal);
  }
}
