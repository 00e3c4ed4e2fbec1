import type { Database } from '../../../platform/db/database.ts';
import { type Instant, toMs } from '../../../platform/kit/instant.ts';
import { readDeliveryBacklog, readDistributedBacklog } from './backlog-store.ts';

/** Enough to see that sending has stopped, and fast to count. */
const COUNTED_MAX = 100_000;

/** The number of waiting deliveries, and how long the most overdue one has waited. */
export async function measureDeliveries(
  { reads, isDistributed }: Pick<Database, 'reads' | 'isDistributed'>,
  now: Instant,
): Promise<{ pending: number; lagSeconds: number }> {
  const read = isDistributed() ? readDistributedBacklog : readDeliveryBacklog;
  const { pending, firstFreshAt, firstRetryAt } = await read(reads, now, COUNTED_MAX);
  const waits = [firstFreshAt, firstRetryAt].map((at) => (at ? toMs(now) - toMs(at) : 0));
  // A sandbox's clock may be ahead: the wait for its events is then negative.
  return { pending, lagSeconds: Math.max(0, ...waits) / 1_000 };
}
