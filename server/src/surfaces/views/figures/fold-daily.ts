import type { Figure } from '../../../platform/figures/tally.ts';

/** Sums by key. */
type Numbers = ReadonlyMap<string, bigint>;

/** The figures of one day, or of several added up, by their names. */
export class DayNumbers {
  readonly #numbers = new Map<string, bigint>();

  add(name: string, value: bigint): void {
    this.#numbers.set(name, (this.#numbers.get(name) ?? 0n) + value);
  }

  addAll(other: DayNumbers): void {
    for (const [name, value] of other.#numbers) this.add(name, value);
  }

  /** The count; zero for what never happened. */
  count(name: string): number {
    return Number(this.#numbers.get(name) ?? 0n);
  }

  /** Non-zero values under `<prefix>:<key>`, by key, in the order of the keys. */
  under(prefix: string): Numbers {
    const start = `${prefix}:`;
    return new Map(
      [...this.#numbers]
        .flatMap(([name, value]): [string, bigint][] =>
          name.startsWith(start) && value !== 0n ? [[name.slice(start.length), value]] : [],
        )
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  }
}

/** By subject, and then by day. */
export type DailyNumbers = ReadonlyMap<string, ReadonlyMap<string, DayNumbers>>;

/** Groups figures whose parts are days. Figures that are zero again are left out. */
export function foldDaily(figures: readonly Figure[]): DailyNumbers {
  const subjects = new Map<string, Map<string, DayNumbers>>();
  for (const { subject, part: day, name, value } of figures) {
    if (value === 0n) continue;
    const days = subjects.get(subject) ?? new Map<string, DayNumbers>();
    subjects.set(subject, days);
    const numbers = days.get(day) ?? new DayNumbers();
    days.set(day, numbers);
    numbers.add(name, value);
  }
  return subjects;
}

export function sumOf(parts: Iterable<DayNumbers | undefined>): DayNumbers {
  const sum = new DayNumbers();
  for (const part of parts) if (part) sum.addAll(part);
  return sum;
}
