import { recordAudit } from '../../accounts/workspaces/audit-log.ts';
import { authorOf } from '../../domain/programs/program-deps.ts';
import { ASK_MARGIN_MS } from '../../domain/rewards/advances/adopt-credits.ts';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import { AppError, conflict, noSuch } from '../../platform/kit/errors.ts';
import { addMs } from '../../platform/kit/instant.ts';
import { recordTransfers } from '../payouts/advances/record-transfers.ts';
import type { ProviderMethod } from '../payouts/methods.ts';
import { realNow } from '../payouts/payout-deps.ts';
import type { FoundTransfer } from '../payouts/provider.ts';
import type { Account } from './checks/check.ts';
import { updateOverride, upsertChecks } from './checks/check-store.ts';
import { listAccounts } from './checks/list-accounts.ts';
import { getHeld } from './release-restore.ts';
import type { RestoreDeps } from './restore-deps.ts';
import type { AddedTransfers, AddTransfers } from './schema.ts';
import { findChecks } from './show-restores.ts';

/** Asks every account again, from the beginning. Fails with NOT_FOUND, or CONFLICT `restore_released`. */
export async function askAgain(
  deps: RestoreDeps,
  { workspaceId }: WriteRequest,
  restoreId: string,
): Promise<void> {
  const { since } = await getHeld(deps, workspaceId, restoreId);
  const accounts = await listAccounts(deps.database.reads, workspaceId);
  await deps.database.transaction(async (tx) =>
    upsertChecks(tx, restoreId, accounts, { since, now: realNow(deps), anew: true }),
  );
}

/**
 * Records why an account need not be asked: somebody has compared it, or knows that nothing was paid.
 * Fails with NOT_FOUND, or CONFLICT `restore_released`.
 */
export async function overrideCheck(
  deps: RestoreDeps,
  request: WriteRequest,
  restoreId: string,
  { connectionId, reason }: { readonly connectionId: string; readonly reason: string },
): Promise<void> {
  const { workspaceId } = request;
  const restore = await getHeld(deps, workspaceId, restoreId);
  const checks = await findChecks(deps.database.reads, restore);
  const check = checks.find((one) => one.connectionId === connectionId);
  if (!check) throw noSuch('connection in this workspace');
  const now = realNow(deps);
  await deps.database.transaction(async (tx) => {
    upsertChecks(tx, restoreId, [check], { since: restore.since, now, anew: false });
    updateOverride(tx, restoreId, connectionId, reason, authorOf(request.actor), now);
    recordAudit({ tx, now, newId: deps.newId }, request, {
      action: 'restore.override',
      targetType: 'restore',
      targetId: restoreId,
      changes: { connectionId, method: check.method, reason },
    });
  });
}

/**
 * Reads transfers by the provider's own ids, and adopts what the books do not have. For a provider
 * that lists nothing. A repeat adds nothing. Fails with NOT_FOUND, CONFLICT `restore_released` or
 * `not_connected`, or SERVICE_UNAVAILABLE.
 */
export async function addTransfers(
  deps: RestoreDeps,
  request: WriteRequest,
  restoreId: string,
  { connectionId, references }: AddTransfers,
): Promise<AddedTransfers> {
  const { workspaceId } = request;
  const restore = await getHeld(deps, workspaceId, restoreId);
  const accounts = await listAccounts(deps.database.reads, workspaceId);
  const account = accounts.find((one) => one.connectionId === connectionId);
  if (!account || account.projectId !== null) throw noSuch('payout connection in this workspace');
  const provider = await openRecords(deps, workspaceId, account);
  const read = async (reference: string): Promise<FoundTransfer | null> =>
    provider.records.read(reference).catch((cause: unknown) => {
      throw new AppError('SERVICE_UNAVAILABLE', `${account.method} did not answer. Try again.`, {
        cause,
      });
    });
  const found: FoundTransfer[] = [];
  const results: AddedTransfers = [];
  for (const reference of references) {
    const transfer = await read(reference);
    if (transfer) found.push(transfer);
    results.push({ reference, result: transfer ? 'recorded' : 'not_found' });
  }
  const since = addMs(restore.since, -ASK_MARGIN_MS);
  const { environment } = account;
  const now = realNow(deps);
  await recordTransfers(
    deps,
    { workspaceId, environment, restoreId, since, provider },
    found,
    (tx) =>
      recordAudit({ tx, now, newId: deps.newId }, request, {
        action: 'restore.add_transfers',
        targetType: 'restore',
        targetId: restoreId,
        changes: { connectionId, references, found: found.length },
      }),
  );
  return results;
}

async function openRecords(deps: RestoreDeps, workspaceId: string, account: Account) {
  const { environment, connectionId } = account;
  const method = account.method as ProviderMethod;
  const provider = await deps.findProvider({ workspaceId, environment, method });
  const records = provider?.connectionId === connectionId ? provider.records : undefined;
  if (!records) throw conflict('not_connected', `There is no payout connection for ${method}.`);
  return { connectionId, method, records };
}
