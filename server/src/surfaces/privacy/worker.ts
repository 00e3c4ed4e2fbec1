import { purgeUsers } from '../../accounts/users/purge-users.ts';
import { purgeAudit } from '../../accounts/workspaces/audit-log.ts';
import { findProjectRef } from '../../accounts/workspaces/queries.ts';
import { purgeBacktests } from '../../domain/backtests/purge-backtests.ts';
import { purgeClicks } from '../../domain/clicks/purge-clicks.ts';
import { purgeEnded, purgeSignIns, purgeUnproven } from '../../domain/partners/purge.ts';
import { purgePlans } from '../../domain/programs/plans/purge-plans.ts';
import { purgeCards, purgeNetworks } from '../../domain/risk/purge-seen.ts';
import { purgeStripeEvents } from '../../outbound/integrations/stripe/purge-events.ts';
import { purgeMails } from '../../outbound/mail/erase-mails.ts';
import { purgeReplaced } from '../../outbound/payouts/details/queries.ts';
import { purgeAttempts } from '../../outbound/webhooks/dispatch/erase-attempts.ts';
import type { Database } from '../../platform/db/database.ts';
import { purgeAnswers } from '../../platform/feed/writer/kept-answers.ts';
import { ownRequest } from '../../platform/http/access/principal.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import type { NewId } from '../../platform/kit/ids.ts';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, toInstant } from '../../platform/kit/instant.ts';
import { startWorker, type Watch, type Worker } from '../../platform/kit/worker.ts';
import { ERASURE_LEASE_MS, eraseParticipant, type PrivacyDeps } from './erase-participant.ts';
import { claimErasure, type ErasureRow, listDueErasures } from './store.ts';

/** Small enough that no statement blocks others for long. */
const SLICE = 500;

export interface RetentionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly auditRetentionDays: number;
  readonly attemptRetentionDays: number;
}

/** What expires by itself; the retention of the others is a setting. */
const PURGES = [
  purgeAnswers,
  purgeUnproven,
  purgeEnded,
  purgeSignIns,
  purgeUsers,
  purgeClicks,
  purgeNetworks,
  purgeCards,
  purgePlans,
  purgeBacktests,
  purgeReplaced,
  purgeMails,
  purgeStripeEvents,
];

/** Deletes a slice of everything that has expired; returns the number of rows. */
export async function purgeOnce(deps: RetentionDeps): Promise<number> {
  const now = toInstant(deps.clock.nowMs());
  let purged = 0;
  for (const purge of PURGES) purged += await purge(deps.database, now, SLICE);
  const daysAgo = (days: number) => addMs(now, -days * DAY_MS);
  purged += await purgeAttempts(deps.database, daysAgo(deps.attemptRetentionDays), SLICE);
  return purged + (await purgeAudit(deps.database, daysAgo(deps.auditRetentionDays), SLICE));
}

/** Any number of processes may run one: rows that another has deleted are skipped. */
export function startRetentionWorker(deps: RetentionDeps & Watch): Worker {
  return startWorker({
    runOnce: () => purgeOnce(deps),
    pollMs: HOUR_MS,
    pollMaxMs: HOUR_MS,
    onFailure: deps.onFailure,
    onRun: deps.onRun,
  });
}

export function startErasureWorker(deps: ResumeDeps & Watch): Worker {
  return startWorker({
    runOnce: () => resumeErasures(deps),
    pollMs: MINUTE_MS,
    pollMaxMs: 5 * MINUTE_MS,
    onFailure: deps.onFailure,
    onRun: deps.onRun,
  });
}

const CLAIMED_MAX = 10;

export interface ResumeDeps extends PrivacyDeps {
  readonly newId: NewId;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Resumes erasures that a process left, like repeated requests; returns how many. Any
 * number of processes may run it.
 */
export async function resumeErasures(deps: ResumeDeps): Promise<number> {
  const now = toInstant(deps.clock.nowMs());
  const due = await listDueErasures(deps.database.reads, now, CLAIMED_MAX);
  let resumed = 0;
  for (const erasure of due) {
    try {
      const claimedAt = toInstant(deps.clock.nowMs());
      const isClaimed = await deps.database.transaction((tx) =>
        claimErasure(tx, erasure, claimedAt, addMs(claimedAt, ERASURE_LEASE_MS)),
      );
      if (!isClaimed) continue;
      resumed += 1;
      await resume(deps, erasure);
    } catch (error) {
      deps.onFailure(error);
    }
  }
  return resumed;
}

async function resume(
  deps: ResumeDeps,
  { projectId, participantId, isForced }: ErasureRow,
): Promise<void> {
  const project = await findProjectRef(deps.database.reads, projectId);
  if (!project) throw new Error(`Project ${projectId} of an erasure does not exist.`);
  const { workspaceId } = project;
  const request = { ...ownRequest(projectId, 'privacy', deps.newId('req')), workspaceId };
  await eraseParticipant(deps, request, participantId, isForced);
}
