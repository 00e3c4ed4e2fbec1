import type { Queryable } from '../db/driver.ts';
import { purgeAnswers } from '../feed/purge-answers.ts';
import type { Clock } from '../kit/clock.ts';
import { addMs, DAY_MS, HOUR_MS, toInstant } from '../kit/instant.ts';
import { startWorker, type Worker } from '../kit/worker.ts';
import { purgeUnproven } from '../partners/purge-unproven.ts';
import { purgeAudit } from '../workspaces/purge-audit.ts';

/** Small enough that no statement holds anything up for long. */
const SLICE = 500;

export interface RetentionDeps {
  readonly reads: Queryable;
  readonly clock: Clock;
  readonly auditRetentionDays: number;
}

/** Deletes a slice of everything whose time is over; returns how many rows that was. */
export async function purgeOnce(deps: RetentionDeps): Promise<number> {
  const now = toInstant(deps.clock.nowMs());
  const answers = await purgeAnswers(deps.reads, now, SLICE);
  const applications = await purgeUnproven(deps.reads, now, SLICE);
  const oldestKept = addMs(now, -deps.auditRetentionDays * DAY_MS);
  return answers + applications + (await purgeAudit(deps.reads, oldestKept, SLICE));
}

/** Any number of processes may run one: what another has deleted is no longer there. */
export function startRetentionWorker(
  deps: RetentionDeps & { readonly onFailure: (error: unknown) => void },
): Worker {
  return startWorker({
    runOnce: () => purgeOnce(deps),
    pollMs: HOUR_MS,
    pollMaxMs: HOUR_MS,
    onFailure: deps.onFailure,
  });
}
