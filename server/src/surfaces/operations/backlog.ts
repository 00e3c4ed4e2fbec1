import { measurePayouts } from '../../outbound/payouts/queries.ts';
import { measureDeliveries } from '../../outbound/webhooks/queue/measure-backlog.ts';
import { doesAnswer } from '../../platform/db/does-answer.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import type { Backlog } from '../../platform/telemetry/metrics.ts';

/** However often somebody scrapes, the database is asked no more often. */
const KEPT_MS = 10_000;

/** Whether the database answers at all, however long it takes to say what waits there. */
export function createReachReader(reads: Queryable): () => Promise<boolean> {
  return keep(() => doesAnswer(reads));
}

/**
 * What waits in the database, whoever is to do it: so that processes which only serve tell of it
 * too, and it shows when no worker runs at all. Null while the database does not say.
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
