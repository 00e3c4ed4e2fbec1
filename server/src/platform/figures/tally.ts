import type { Instant } from '../kit/instant.ts';

/** How much to add to a number. */
export interface Figure {
  readonly subject: string;
  readonly name: string;
  readonly value: bigint;
  /** Kept from the first time it was given. */
  readonly firstAt: Instant | null;
}

export function figure(
  subject: string,
  name: string,
  value: bigint | number = 1,
  firstAt: Instant | null = null,
): Figure {
  return { subject, name, value: BigInt(value), firstAt };
}

/** Figures being collected, each name once. Entries change as more is added. */
export type Tally = Map<string, { -readonly [K in keyof Figure]: Figure[K] }>;

export function figureKey(subject: string, name: string): string {
  return `${subject}\n${name}`;
}

export function addToTally(tally: Tally, added: Figure): void {
  const key = figureKey(added.subject, added.name);
  const known = tally.get(key);
  if (known) {
    known.value += added.value;
    known.firstAt ??= added.firstAt;
  } else {
    tally.set(key, { ...added });
  }
}

/** What to add so that the figures `before` become `after`. */
export function differenceOf(before: readonly Figure[], after: readonly Figure[]): Figure[] {
  const tally: Tally = new Map();
  for (const one of after) addToTally(tally, one);
  for (const one of before) addToTally(tally, { ...one, value: -one.value });
  return [...tally.values()].filter(({ value }) => value !== 0n);
}
