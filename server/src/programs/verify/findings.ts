import type { Difference, Finding } from './finding.ts';

/** How many findings of one project are listed; a broken store could have any number. */
export const FINDINGS_MAX = 1_000;

/** The findings in one project. */
export class Findings {
  readonly kept: Finding[] = [];
  /** The count of all, including those that were not kept. */
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
