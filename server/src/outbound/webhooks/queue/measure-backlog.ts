import type { Queryable } from '../../../platform/db/driver.ts';
import { type Instant, toMs } from '../../../platform/kit/instant.ts';
import { readDeliveryBacklog } from './backlog-store.ts';

/** Enough to see that nothing is sent any more, and soon counted. */
const COUNTED_MAX = 100_000;

/** How many deliveries wait, and for how long the one that should have gone first. */
export async function measureDeliveries(
  source: Queryable,
  now: Instant,
): Promise<{ pending: number; lagSeconds: number }> {
  const { pending, firstFreshAt, firstRetryAt } = await readDeliveryBacklog(
    source,
    now,
    COUNTED_MAX,
  );
  const waits = [firstFreshAt, firstRetryAt].map((at) => (at ? toMs(now) - toMs(at) : 0));
  // A sandbox's clock may be set ahead: then its events are not to be waited for yet.
  return { pending, lagSeconds: Math.max(0, ...waits) / 1_000 };
}
