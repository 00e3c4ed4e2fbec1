interface Remaining {
  readonly participantId: string;
  changes: number;
}

/** How many adjustments, grants, revocations and voids the history still has for Events that are kept for them. */
export class RemainingChanges {
  readonly #remaining = new Map<string, Remaining>();
  readonly #never = new Set<string>();

  add({ id, participantId }: { id: string; participantId: string }, changes: number): void {
    if (this.#never.has(id)) return;
    const known = this.#remaining.get(id);
    if (known) known.changes += changes;
    else this.#remaining.set(id, { participantId, changes });
  }

  /** Whatever the history has for it, more may happen to this Event. */
  never(eventId: string): void {
    this.#never.add(eventId);
    this.#remaining.delete(eventId);
  }

  /** Some have happened. Returns whose Event it is if no more remain, once. */
  take(eventId: string, happened: number): string | undefined {
    const known = this.#remaining.get(eventId);
    if (!known) return undefined;
    known.changes -= happened;
    if (known.changes > 0) return undefined;
    this.#remaining.delete(eventId);
    return known.participantId;
  }
}
