import type { Queryable } from '../../platform/db/driver.ts';
import { countToDecide } from './store.ts';

/** How many applications can be decided on; none is counted beyond `most`. */
export function countWaitingApplications(
  source: Queryable,
  projectId: string,
  most: number,
): Promise<number> {
  return countToDecide(source, projectId, most);
}
