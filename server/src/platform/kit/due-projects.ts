/**
 * Projects to look at, and when. For a store in which a question about all Projects asks every shard: work that
 * is known is looked up Project by Project, and a slow sweep over all finds the rest.
 */
export class DueProjects {
  readonly #times = new Map<string, number>();

  /** Looks at this Project at that time, unless it is due earlier. */
  note(projectId: string, atMs: number): void {
    const known = this.#times.get(projectId);
    if (known === undefined || atMs < known) this.#times.set(projectId, atMs);
  }

  /** Removes and returns the Projects that are due. */
  take(nowMs: number): string[] {
    const due: string[] = [];
    for (const [projectId, atMs] of this.#times) {
      if (atMs > nowMs) continue;
      due.push(projectId);
      this.#times.delete(projectId);
    }
    return due;
  }
}
