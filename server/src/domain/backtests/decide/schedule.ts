import { isBefore, type Place } from './history.ts';

/** What happens at places of the history, other than facts: the earliest is taken first. A binary heap. */
export class Schedule<T> {
  readonly #heap: { readonly place: Place; readonly what: T }[] = [];

  get size(): number {
    return this.#heap.length;
  }

  add(place: Place, what: T): void {
    const heap = this.#heap;
    let at = heap.push({ place, what }) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isLess(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  /** The earliest of those before a place; undefined if there is none. */
  takeBefore(end: Place): { readonly place: Place; readonly what: T } | undefined {
    const heap = this.#heap;
    const [first] = heap;
    if (!first || !isBefore(first.place, end)) return undefined;
    const last = heap.pop();
    if (last && heap.length > 0) {
      heap[0] = last;
      this.#sink();
    }
    return first;
  }

  #sink(): void {
    const size = this.#heap.length;
    let at = 0;
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < size && this.#isLess(left, least)) least = left;
      if (right < size && this.#isLess(right, least)) least = right;
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #isLess(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    return a !== undefined && b !== undefined && isBefore(a.place, b.place);
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (!a || !b) return;
    this.#heap[one] = b;
    this.#heap[other] = a;
  }
}
