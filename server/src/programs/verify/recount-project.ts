import type { Database } from '../../platform/db/database.ts';
import { saveFigures } from '../../platform/figures/figures.ts';
import { differenceOf, type Figure } from '../../platform/figures/tally.ts';
import type { CheckContext } from './checks/check-context.ts';
import { recount } from './checks/check-counters.ts';
import { fillSignupPersons, lockProject } from './stores/recount-store.ts';

/** What decides whether a rule still earns: by its cap, once, or within a period. */
const DECIDING = /^(earned|once|period):/;

/**
 * Sets the counters that decide about Rewards to what the rows give, and says how many were wrong:
 * earlier versions count otherwise, and may have written beside this one. Writes to the Project wait
 * meanwhile. Other counters are left alone.
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
