// Facts in the order in which the service has saved them, which their ids tell.

import type { Fact } from '../model/facts.ts';

/** The part of an id that sorts by when it was made. */
const orderOf = (id: string) => id.slice(id.indexOf('_') + 1);

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** What sorts after every id of this millisecond. */
export function idAt(time: string, what: string): string {
  let text = '';
  for (let ms = Date.parse(time); text.length < 10; ms = Math.floor(ms / 32))
    text = `${DIGITS[ms % 32]}${text}`;
  return `at_${text}~${what}`;
}

/** When an id was made. The first of its letters is no part of the time: those of the feed have another one there. */
export function timeOfId(id: string): string {
  const digits = [...orderOf(id).slice(1, 10)];
  const ms = digits.reduce((sum, digit) => sum * 32 + DIGITS.indexOf(digit), 0);
  return new Date(ms).toISOString();
}

/** Facts in the order of their ids. Whoever repeats a call gets the id of the first. */
export class OrderedFacts {
  readonly #facts = new Map<string, Fact>();

  add(id: string, fact: Fact): void {
    this.#facts.set(id, this.#facts.get(id) ?? fact);
  }

  get all(): Fact[] {
    const sorted = [...this.#facts].sort(([a], [b]) => (orderOf(a) < orderOf(b) ? -1 : 1));
    return afterCodes(sorted.map(([, fact]) => fact));
  }
}

/** A click is dated by its request, which may have waited for the code to be saved: it comes after its code. */
function afterCodes(facts: readonly Fact[]): Fact[] {
  const coming = new Set(facts.flatMap((one) => (one.kind === 'code' ? [one.name] : [])));
  const waiting: Fact[] = [];
  const ordered: Fact[] = [];
  for (const fact of facts) {
    if (fact.kind === 'touch' && coming.has(fact.name)) {
      waiting.push(fact);
      continue;
    }
    ordered.push(fact);
    if (fact.kind !== 'code') continue;
    coming.delete(fact.name);
    ordered.push(...waiting.filter((one) => one.kind === 'touch' && one.name === fact.name));
  }
  return ordered;
}
