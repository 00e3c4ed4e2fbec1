import type { Figure, Tally } from '../../../platform/figures/tally.ts';

type Entry = Tally extends Map<string, infer V> ? V : never;
const NOTHING: readonly Figure[] = [];

/**
 * Figures that can also be asked for by subject. A review needs those of one person, and a history has those of everybody:
 * walking through all of them for each review would make a replay slower with every person.
 */
export class FiguresBySubject extends Map<string, Entry> {
  readonly #ofSubject = new Map<string, Entry[]>();

  /** An entry is changed in place and never replaced, so both have the same ones. */
  override set(key: string, entry: Entry): this {
    if (this.has(key)) throw new Error(`The figure ${key} is replaced.`);
    const known = this.#ofSubject.get(entry.subject);
    if (known) known.push(entry);
    else this.#ofSubject.set(entry.subject, [entry]);
    return super.set(key, entry);
  }

  of(subject: string): readonly Figure[] {
    return this.#ofSubject.get(subject) ?? NOTHING;
  }
}
