/** Concurrent claims: for endpoints that answer or are new, and for others. */
const TURNS = { urgent: 4, other: 1 } as const;

/** Limits the rest after a claim that took long because the database was stalled. */
const REST_MAX_MS = 250;

export type ClaimClass = keyof typeof TURNS;

export interface Claim {
  readonly projectId: string;
  readonly of: ClaimClass;
}

/**
 * Chooses the project to claim next. Claims of one project and class run one after another; any
 * number of requests meanwhile cause one more. Claims that are not urgent never delay an urgent
 * one, not even of the same project.
 */
export class ClaimScheduler {
  readonly #waiting = { urgent: new Set<string>(), other: new Set<string>() };
  readonly #claiming = { urgent: new Set<string>(), other: new Set<string>() };

  add(projectId: string, of: ClaimClass): void {
    this.#waiting[of].add(projectId);
  }

  /** Undefined if there is none, or no free slot for it. */
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
 * Claims that are not urgent take at most half of the time. Slow claims mean that the machine is
 * busy, and many endpoints that do not answer must not make it busier.
 */
export function restAfterClaim(of: ClaimClass, tookMs: number): number {
  return of === 'urgent' ? 0 : Math.min(tookMs, REST_MAX_MS);
}
