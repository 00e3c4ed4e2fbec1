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
  const { reads } = database;
  const events = await listOldEvents(reads, before(EVENT_DAYS), limit);
  const parked = await listOldParked(reads, before(PARKED_DAYS), before(REVERSAL_DAYS), limit);
  const byProject = ({ projectId }: { projectId: string }) => projectId;
  return (
    (await purgeEach(database, groupBy(events, byProject), deleteEvents)) +
    (await purgeEach(database, groupBy(parked, byProject), (tx, projectId, keys) =>
      deleteParkedRows(
        tx,
        projectId,
        keys.map(({ id }) => id),
      ),
    ))
  );
}
