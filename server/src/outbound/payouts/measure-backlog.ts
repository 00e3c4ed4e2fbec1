import type { Queryable } from '../../platform/db/driver.ts';
import { type Instant, toMs } from '../../platform/kit/instant.ts';
import { readPayoutBacklog } from './backlog-store.ts';

/** How many transfers nobody can tell of, since when, and how late the service is in asking. */
export async function measurePayouts(
  source: Queryable,
  now: Instant,
): Promise<{ unanswered: number; unansweredSeconds: number; overdueSeconds: number }> {
  const { unanswered, firstUnansweredAt, firstDueAt } = await readPayoutBacklog(source, now);
  const since = (at: Instant | null) => (at ? Math.max(0, toMs(now) - toMs(at)) / 1_000 : 0);
  return {
    unanswered,
    unansweredSeconds: since(firstUnansweredAt),
    overdueSeconds: since(firstDueAt),
  };
}
