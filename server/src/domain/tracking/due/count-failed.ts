import type { Queryable } from '../../../platform/db/driver.ts';
import { countFailed } from '../read/read-store.ts';

/** How many Events could not be decided; none is counted beyond `most`. */
export function countFailedEvents(
  source: Queryable,
  projectId: string,
  most: number,
): Promise<number> {
  return countFailed(source, projectId, most);
}
