/** How often something is tried: so often with every change, and more often at night (`TEST_NIGHT=1`). */
export function rounds(usually: number, atNight: number): number {
  return process.env.TEST_NIGHT === '1' ? atNight : usually;
}

/** At most so many of these, spread over them all; at night each of them. */
export function sample<T>(all: readonly T[], usually: number): readonly T[] {
  const step = Math.max(1, Math.ceil(all.length / rounds(usually, all.length)));
  return all.filter((_, index) => index % step === 0);
}

/** One of these, another with every turn; at night each of them. */
export function inTurn<T>(all: readonly T[], turn: number): readonly T[] {
  return all.filter((_, index) => rounds(turn % all.length, index) === index);
}
