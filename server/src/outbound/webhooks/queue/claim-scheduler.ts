/** Claims at the same time: of endpoints that answer or are new, and of others. */
const TURNS = { urgent: 4, other: 1 } as const;

/** One that took long because the database stood still costs no more than this. */
const REST_MAX_MS = 250;

export type ClaimClass = keyof typeof TURNS;

export interface Claim {
  readonly projectId: string;
  readonly of: ClaimClass;
}

/**
 * Which Project is looked at next. Claims of one Project and class come one after another; however
 * many ask meanwhile, one more follows. Those that are not urgent never keep an urgent one waiting,
 * be it of the same Project.
 */
export class ClaimScheduler {
  readonly #waiting = { urgent: new Set<string>(), other: new Set<string>() };
  readonly #claiming = { urgent: new Set<string>(), other: new Set<string>() };

  add(projectId: string, of: ClaimClass): void {
    this.#waiting[of].add(projectId);
  }

  /** Undefined while there is none, or no place for it. */
  next(): Claim | undefined {
    for (const of of ['urgent', 'other'] as const) {
      if (this.#claiming[of].size >= TURNS[of]) continue;
      for (const projectId of this.#waiting[of]) {
        if (this.#claiming[of].has(projectId)) continue;
        this.#waiting[of].delete(projectId);
        this.#claiming[of].add(projectId);
        return { projectId, of };
      }
    }
    return undefined;
  }

  end({ projectId, of }: Claim): void {
    this.#claiming[of].delete(projectId);
  }

  isBusyWith(projectId: string): boolean {
    return [this.#waiting, this.#claiming].some(
      ({ urgent, other }) => urgent.has(projectId) || other.has(projectId),
    );
  }

  clear(): void {
    this.#waiting.urgent.clear();
    this.#waiting.other.clear();
  }
}

/**
 * What is not urgent takes half of the time at most: where a claim takes long, the machine is busy,
 * and a crowd of endpoints that do not answer must not make it busier.
 */
export function restAfterClaim(of: ClaimClass, tookMs: number): number {
  return of === 'urgent' ? 0 : Math.min(tookMs, REST_MAX_MS);
}
