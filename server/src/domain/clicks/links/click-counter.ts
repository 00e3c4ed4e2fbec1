import { type Figure, figure } from '../../../platform/figures/tally.ts';

/** Clicks on one code or link on one day (UTC). */
export interface ClickCount {
  readonly projectId: string;
  /** Id of the code or link in the address. */
  readonly sharedId: string;
  /** Whether it is a link. */
  readonly isLink: boolean;
  readonly programId: string;
  /** As `YYYY-MM-DD`. */
  readonly day: string;
  readonly clicks: number;
}

/** Clicks that this process counted but has not saved yet, so that following a link writes nothing. */
export class ClickCounter {
  #counts = new Map<string, ClickCount>();

  add(count: ClickCount): void {
    const key = [count.projectId, count.sharedId, count.day].join('\n');
    const clicks = (this.#counts.get(key)?.clicks ?? 0) + count.clicks;
    this.#counts.set(key, { ...count, clicks });
  }

  /** Returns all counts by Project and resets the counter. */
  take(): ReadonlyMap<string, readonly ClickCount[]> {
    const byProject = new Map<string, ClickCount[]>();
    for (const count of this.#counts.values()) {
      const counts = byProject.get(count.projectId) ?? [];
      byProject.set(count.projectId, counts);
      counts.push(count);
    }
    this.#counts = new Map();
    return byProject;
  }
}

/** The part of a link's figures with its results in a Program: by it, links are ranked. */
export function linksOf(programId: string): string {
  return `${programId}:links`;
}

/**
 * The figures of these clicks: of their Programs by day, and of links. Codes have none of their own,
 * because most people share one: they would double the rows of a click.
 */
export function clickFiguresOf(
  counts: readonly (Pick<ClickCount, 'programId' | 'day' | 'sharedId' | 'isLink'> & {
    readonly clicks: number | bigint;
  })[],
): Figure[] {
  return counts.flatMap(({ programId, day, sharedId, isLink, clicks }) => [
    figure(programId, day, 'clicks', clicks),
    ...(isLink ? [figure(sharedId, linksOf(programId), 'clicks', clicks)] : []),
  ]);
}
