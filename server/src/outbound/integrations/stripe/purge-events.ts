import type { Database } from '../../../platform/db/database.ts';
import { purgeEach } from '../../../platform/db/purge-each.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import { addMs, DAY_MS, type Instant } from '../../../platform/kit/instant.ts';
import {
  deleteEvents,
  deleteParkedRows,
  listOldEvents,
  listOldParked,
} from './events/event-store.ts';

/** Stripe retries for three days, and manually for thirty. */
export const EVENT_DAYS = 30;
/**
 * An event that is still unresolved by then is most likely about somebody who is not a participant.
 */
export const PARKED_DAYS = 90;
/** A bank may take this long over a dispute, or over a refund that it then returns. */
export const REVERSAL_DAYS = 540;

/**
 * Deletes at most `limit` of each kind that are older than that in real time. Returns the count.
 */
export async function purgeStripeEvents(
  database: Database,
  now: Instant,
  limit: number,
): Promise<number> {
  const before = (days: number) => addMs(now, -days * DAY_MS);
  const { reads } = database;
  const byProject = ({ projectId }: { projectId: string }) => projectId;
  const events = await listOldEvents(reads, before(EVENT_DAYS), limit);
  const eventCount = await purgeEach(database, groupBy(events, byProject), deleteEvents);
  const parked = await listOldParked(reads, before(PARKED_DAYS), before(REVERSAL_DAYS), limit);
  const parkedCount = await purgeEach(database, groupBy(parked, byProject), deleteParkedRows);
  return eventCount + parkedCount;
}
