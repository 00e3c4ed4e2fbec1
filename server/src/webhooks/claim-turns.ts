/** Claims at the same time: of Projects that have new deliveries or answer quickly, and of others. */
const TURNS = { urgent: 4, other: 1 } as const;

type Class = keyof typeof TURNS;

export interface ClaimTurn {
  readonly projectId: string;
  readonly of: Class;
}

/**
 * Which Project is looked at next. Claims of one Project come one after another; however many ask
 * meanwhile, one more follows. Those that are not urgent never keep an urgent one waiting.
 */
export class ClaimTurns {
  readonly #waiting = { urgent: new Set<string>(), other: new Set<string>() };
  readonly #running = { urgent: 0, other: 0 };
  readonly #claiming = new Set<string>();

  add(projectId: string, isUrgent: boolean): void {
    const { urgent, other } = this.#waiting;
    if (isUrgent) {
      other.delete(projectId);
      urgent.add(projectId);
    } else if (!urgent.has(projectId)) other.add(projectId);
  }

  /** Undefined while there is none, or no place for it. */
  next(): ClaimTurn | undefined {
    for (const of of ['urgent', 'other'] as const) {
      if (this.#running[of] >= TURNS[of]) continue;
      for (const projectId of this.#waiting[of]) {
        if (this.#claiming.has(projectId)) continue;
        this.#waiting[of].delete(projectId);
        this.#claiming.add(projectId);
        this.#running[of] += 1;
        return { projectId, of };
      }
    }
    return undefined;
  }

  end({ projectId, of }: ClaimTurn): void {
    this.#claiming.delete(projectId);
    this.#running[of] -= 1;
  }

  isBusyWith(projectId: string): boolean {
    const { urgent, other } = this.#waiting;
    return this.#claiming.has(projectId) || urgent.has(projectId) || other.has(projectId);
  }

  clear(): void {
    this.#waiting.urgent.clear();
    this.#waiting.other.clear();
  }
}
