import type { Queryable } from '../../../platform/db/driver.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { listWindows } from '../store.ts';

/** The longest attribution window, in days, of the Programs that are active at `now`; 0 for none. */
export async function findLongestWindow(
  source: Queryable,
  projectId: string,
  now: Instant,
): Promise<number> {
  return Math.max(0, ...(await listWindows(source, projectId, now)));
}
