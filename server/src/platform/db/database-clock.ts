import type { Clock } from '../kit/clock.ts';
import { type Instant, toMs } from '../kit/instant.ts';
import type { Queryable } from './driver.ts';

/**
 * The database's time: the same for all its processes, whatever their own clocks say. For times
 * that one process writes and another acts on.
 */
export interface DatabaseClock extends Clock {
  /** Reads it again. Between syncs it advances by elapsed time. */
  sync(): Promise<void>;
}

export async function openDatabaseClock(reads: Queryable): Promise<DatabaseClock> {
  let aheadMs = 0;
  const clock = {
    nowMs: () => Math.floor(performance.now() + aheadMs),
    async sync() {
      const askedMs = performance.now();
      const [row] = await reads.query<{ now: Instant }>('select clock_timestamp() as now');
      const answeredMs = performance.now();
      // The database read its clock at some point in between.
      aheadMs = toMs((row as { now: Instant }).now) - (askedMs + answeredMs) / 2;
    },
  };
  await clock.sync();
  return clock;
}
