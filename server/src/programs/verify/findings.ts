import type { Difference, Finding } from './finding.ts';

/** So many of one Project are told one by one; a store that is broken all over has no end of them. */
export const FINDINGS_MAX = 1_000;

/** What was found in one Project. */
export class Findings {
  readonly kept: Finding[] = [];
  /** All, also those that were not kept. */
  total = 0;
  readonly #projectId: string;

  constructor(projectId: string) {
    this.#projectId = projectId;
  }

  add(differences: readonly Difference[]): void {
    for (const one of differences) {
      this.total += 1;
      if (this.kept.length < FINDINGS_MAX) this.kept.push({ projectId: this.#projectId, ...one });
    }
  }
}
