import type { Queryable } from './db/driver.ts';
import type { Clock } from './kit/clock.ts';
import { toInstant } from './kit/instant.ts';
import { measurePayouts } from './payouts/measure-backlog.ts';
import { measureDeliveries } from './webhooks/measure-backlog.ts';

export interface Backlog {
  readonly deliveries: Awaited<ReturnType<typeof measureDeliveries>>;
  readonly payouts: Awaited<ReturnType<typeof measurePayouts>>;
}

/** However often somebody scrapes, the database is asked no more often. */
const KEPT_MS = 10_000;

/**
 * What waits in the database, whoever is to do it: so that processes which only serve tell of it
 * too, and it shows when no worker runs at all. Null while the database does not say.
 */
export function createBacklogReader(deps: {
  readonly reads: Queryable;
  readonly clock: Clock;
}): () => Promise<Backlog | null> {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let latest: Promise<Backlog | null> = Promise.resolve(null);
  return () => {
    const nowMs = performance.now();
    if (nowMs - readAtMs < KEPT_MS) return latest;
    readAtMs = nowMs;
    latest = readBacklog(deps.reads, toInstant(deps.clock.nowMs())).catch(() => null);
    return latest;
  };
}

async function readBacklog(reads: Queryable, now: string): Promise<Backlog> {
  const [deliveries, payouts] = await Promise.all([
    measureDeliveries(reads, now),
    measurePayouts(reads, now),
  ]);
  return { deliveries, payouts };
}
