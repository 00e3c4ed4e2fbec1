import type { Queryable } from '../../../../platform/db/driver.ts';
import { countParked } from '../events/event-store.ts';

/** How many events of Stripe wait for something to be known; none is counted beyond `most`. */
export function countParkedEvents(
  source: Queryable,
  projectId: string,
  most: number,
): Promise<number> {
  return countParked(source, projectId, most);
}
