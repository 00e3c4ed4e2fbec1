/** How much to add to a number. */
export interface Figure {
  readonly subject: string;
  /** What it is limited to: a day, a Program, or another list of the subject; '' for all. */
  readonly part: string;
  readonly name: string;
  readonly value: bigint;
}

/** A figure added up over the parts of its subject. */
export type Sum = Omit<Figure, 'part'>;

/** The figure that referrers are ranked by. */
export const REFERRED = 'referred';

export function figure(
  subject: string,
  part: string,
  name: string,
  value: bigint | number = 1,
): Figure {
  return { subject, part, name, value: BigInt(value) };
}

/** Figures being collected, each name once. Entries change as more is added. */
export type Tally = Map<string, { -readonly [K in keyof Figure]: Figure[K] }>;

export function figureKey({ subject, part, name }: Omit<Figure, 'value'>): string {
  return `${subject}\n${part}\n${name}`;
}

export function addToTally(tally: Tally, added: Figure): void {
  const key = figureKey(added);
  const known = tally.get(key);
  if (known) known.value += added.value;
  else tally.set(key, { ...added });
}

/** What to add so that the figures `before` become `after`. */
export function differenceOf(before: readonly Figure[], after: readonly Figure[]): Figure[] {
  const tally: Tally = new Map();
  for (const one of after) addToTally(tally, one);
  for (const one of before) addToTally(tally, { ...one, value: -one.value });
  return [...tally.values()].filter(({ value }) => value !== 0n);
}
