import type { Database } from '../../platform/db/database.ts';
import { saveFigures } from '../../platform/figures/figures.ts';
import { differenceOf, type Figure } from '../../platform/figures/tally.ts';
import type { CheckContext } from './checks/check-context.ts';
import { recount } from './checks/check-counters.ts';
import { fillSignupPersons, lockProject } from './stores/recount-store.ts';

/** Counters that decide whether a rule still earns: by its cap, once, or within a period. */
const DECIDING = /^(earned|once|period):/;

/**
 * Sets the counters that decide about rewards to what the rows give, and returns how many were
 * wrong: earlier versions count differently, and may have written next to this one. Writes to the
 * project wait meanwhile. Other counters stay as they are.
 */
export function recountProject(
  database: Database,
  projectId: string,
  progress: CheckContext['progress'],
): Promise<number> {
  return database.transaction(async (tx) => {
    await lockProject(tx, projectId);
    await fillSignupPersons(tx, projectId);
    const wrong: Figure[] = [];
    await recount({ tx, projectId, progress }, (stored, recounted) => {
      wrong.push(...differenceOf(stored, recounted).filter(({ name }) => DECIDING.test(name)));
    });
    saveFigures(tx, projectId, wrong);
    return wrong.length;
  });
}
