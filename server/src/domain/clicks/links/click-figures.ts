import { type Figure, figure } from '../../../platform/figures/tally.ts';
import type { ClickCount } from './click-counter.ts';

/**
 * The daily figures of the Programs that these clicks count for. Always in the same order, so that
 * two processes that save the same days do not deadlock.
 */
export function clickFiguresOf(
  counts: readonly (Pick<ClickCount, 'programId' | 'day'> & {
    readonly clicks: number | bigint;
  })[],
): Figure[] {
  return counts
    .map(({ programId, day, clicks }) => figure(programId, `${day}:clicks`, clicks))
    .sort((a, b) => (`${a.subject} ${a.name}` < `${b.subject} ${b.name}` ? -1 : 1));
}
