import type { Database } from '../../../platform/db/database.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import { addMs, DAY_MS, type Instant } from '../../../platform/kit/instant.ts';
import {
  deleteEvents,
  deleteParkedRows,
  listOldEvents,
  listOldParked,
} from './events/event-store.ts';

/** Stripe sends an event again for three days, and by hand for thirty. */
export const EVENT_DAYS = 30;
/** What nobody has made sense of by then is most likely about somebody who is no participant. */
export const PARKED_DAYS = 90;
/** A bank may take this long over a dispute, or over a refund that it then sends back. */
export const REVERSAL_DAYS = 540;

/** Deletes at most `limit` of each that are older than that, by the real time; returns how many. */
export async function purgeStripeEvents(
  database: Database,
  now: Instant,
  limit: number,
): Promise<number> {
  const before = (days: number) => addMs(now, -days * DAY_MS);
  let deleted = 0;
  const events = await listOldEvents(database.reads, before(EVENT_DAYS), limit);
  for (const [projectId, keys] of groupBy(events, (key) => key.projectId)) {
    deleted += await database.transaction((tx) => deleteEvents(tx, projectId, keys));
  }
  const parked = await listOldParked(
    database.reads,
    before(PARKED_DAYS),
    before(REVERSAL_DAYS),
    limit,
  );
  for (const [projectId, keys] of groupBy(parked, (key) => key.projectId)) {
    const ids = keys.map(({ id }) => id);
    deleted += await database.transaction((tx) => deleteParkedRows(tx, projectId, ids));
  }
  return deleted;
}
