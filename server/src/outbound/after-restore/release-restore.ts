import { endRestore } from '../../accounts/workspaces/payment-hold/declare-restore.ts';
import { lockRestore } from '../../accounts/workspaces/payment-hold/lock-restore.ts';
import type { RestoreRow } from '../../accounts/workspaces/payment-hold/restore.ts';
import { ASK_MARGIN_MS } from '../../domain/rewards/advances/adopt-credits.ts';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import { conflict, noSuch } from '../../platform/kit/errors.ts';
import { addMs } from '../../platform/kit/instant.ts';
import { coverFixed, type Listed, loadFingerprints } from '../payouts/advances/cover-payouts.ts';
import { sumAdvances } from '../payouts/advances/queries.ts';
import type { ProviderMethod } from '../payouts/methods.ts';
import { realNow } from '../payouts/payout-deps.ts';
import { judgeRelease } from './decide-release.ts';
import type { RestoreDeps } from './restore-deps.ts';
import { findChecks, getRestore, standingOf } from './show-restores.ts';

/**
 * Lets a workspace pay again. Payouts that were approved before the restore become smaller by what
 * their payees have got since. A repeat changes nothing. Fails with NOT_FOUND, or CONFLICT
 * `checks_open` or `advances_unassigned`.
 */
export async function releaseRestore(
  deps: RestoreDeps,
  request: WriteRequest,
  restoreId: string,
  acceptsUnassigned: boolean,
): Promise<RestoreRow> {
  const { workspaceId } = request;
  const { reads } = deps.database;
  const restore = await getRestore(reads, workspaceId, restoreId);
  if (restore.releasedAt !== null) return restore;
  const listed = await toListed(deps, restore);
  const fingerprints = await loadFingerprints(deps, listed);
  const now = realNow(deps);
  await deps.database.transaction(async (tx) => {
    const current = await lockRestore(tx, workspaceId, restoreId);
    if (!current) throw noSuch('restore in this workspace');
    if (current.releasedAt !== null) return;
    const checks = await findChecks(tx, current);
    const standing = standingOf(checks, await sumAdvances(tx, workspaceId, restoreId));
    const refusal = judgeRelease(standing, acceptsUnassigned);
    if (refusal) throw refusal;
    const covered = await coverFixed(tx, listed, fingerprints);
    const overridden = checks.flatMap(({ connectionId, overrideReason: reason, status }) =>
      reason === null || status === 'asked' ? [] : [{ connectionId, reason }],
    );
    const changes = { covered, overridden, unassigned: standing.unassigned };
    endRestore({ tx, newId: deps.newId }, request, { id: restoreId, now, changes });
  });
  return getRestore(reads, workspaceId, restoreId);
}

/** The lists that were read to their end, and since when. */
async function toListed(deps: RestoreDeps, restore: RestoreRow): Promise<Listed> {
  const checks = await findChecks(deps.database.reads, restore);
  const methods = checks
    .filter(({ status, projectId }) => status === 'asked' && projectId === null)
    .map(({ method }) => method as ProviderMethod);
  const since = addMs(restore.since, -ASK_MARGIN_MS);
  return { workspaceId: restore.workspaceId, since, methods: [...new Set(methods)] };
}

/** Fails with NOT_FOUND, or CONFLICT `restore_released`. */
export async function getHeld(
  deps: Pick<RestoreDeps, 'database'>,
  workspaceId: string,
  restoreId: string,
): Promise<RestoreRow> {
  const restore = await getRestore(deps.database.reads, workspaceId, restoreId);
  if (restore.releasedAt === null) return restore;
  throw conflict('restore_released', 'This restore is released: nothing is asked for it any more.');
}
