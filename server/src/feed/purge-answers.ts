import type { Queryable } from '../db/driver.ts';
import { addMs, type Instant } from '../kit/instant.ts';
import { IDEMPOTENCY_MS } from './run-batch.ts';
import { deleteOldKeptAnswers } from './store.ts';

/** Deletes at most `limit` answers that no Idempotency-Key can call up any more; returns how many. */
export function purgeAnswers(source: Queryable, now: Instant, limit: number): Promise<number> {
  return deleteOldKeptAnswers(source, addMs(now, -IDEMPOTENCY_MS), limit);
}
