import { measurePayouts } from '../../outbound/payouts/queries.ts';
import { measureDeliveries } from '../../outbound/webhooks/queue/measure-backlog.ts';
import { doesAnswer } from '../../platform/db/does-answer.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import type { Backlog } from '../../platform/telemetry/metrics.ts';

/** Limits queries, however often metrics are scraped. */
const KEPT_MS = 10_000;

/** Whether the database answers at all, however long a measurement takes. */
export function createReachReader(reads: Queryable): () => Promise<boolean> {
  return keep(() => doesAnswer(reads));
}

/**
 * The work waiting in the database, whichever process will do it. So processes that only serve
 * report it as well, and it is visible when no worker runs. Null while the database does not
 * answer.
 */
export function createBacklogReader(deps: {
  readonly reads: Queryable;
  readonly clock: Clock;
}): () => Promise<Backlog | null> {
  return keep(() => readBacklog(deps.reads, toInstant(deps.clock.nowMs())).catch(() => null));
}

function keep<T>(read: () => Promise<T>): () => Promise<T> {
  let kept: { readonly atMs: number; readonly answer: Promise<T> } | undefined;
  return () => {
    const nowMs = performance.now();
    if (!kept || nowMs - kept.atMs >= KEPT_MS) kept = { atMs: nowMs, answer: read() };
    return kept.answer;
  };
}

async function readBacklog(reads: Queryable, now: string): Promise<Backlog> {
  const [deliveries, payouts] = await Promise.all([
    measureDeliveries(reads, now),
    measurePayouts(reads, now),
  ]);
  return { deliveries, payouts };
}
