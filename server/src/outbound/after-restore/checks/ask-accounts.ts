import { randomUUID } from 'node:crypto';
import { listOpenRestores } from '../../../accounts/workspaces/payment-hold/restore-queries.ts';
import { ASK_MARGIN_MS, askOpenAccounts } from '../../../domain/rewards/advances/adopt-credits.ts';
import { addMs, MINUTE_MS } from '../../../platform/kit/instant.ts';
import { recordTransfers } from '../../payouts/advances/record-transfers.ts';
import type { ProviderMethod } from '../../payouts/methods.ts';
import { realNow } from '../../payouts/payout-deps.ts';
import { waitAfter } from '../../payouts/schedule.ts';
import type { RestoreDeps } from '../restore-deps.ts';
import type { CheckRow } from './check.ts';
import {
  claimCheck,
  type DueCheck,
  isLeased,
  updateAnswered,
  updateProgress,
  upsertChecks,
} from './check-store.ts';
import { listAccounts } from './list-accounts.ts';

/** How long this process asks one account without a sign of life. */
const LEASE_MS = 5 * MINUTE_MS;

/** A step of a list that was read and recorded. */
interface Step {
  readonly adopted: number;
  /** Null at the end. */
  readonly next: string | null;
}

/**
 * Asks the accounts of restored workspaces what they have, one after the other, and adopts it.
 * Returns how many were asked. Any number of processes may run it. Each page is recorded together
 * with how far the list was read, so after a crash it continues there.
 */
export async function askAccounts(
  deps: RestoreDeps,
  onFailure: (error: unknown) => void,
): Promise<number> {
  const { database } = deps;
  for (const restore of await listOpenRestores(database.reads)) {
    const accounts = await listAccounts(database.reads, restore.workspaceId);
    const { since } = restore;
    await database.transaction(async (tx) =>
      upsertChecks(tx, restore.id, accounts, { since, now: realNow(deps), anew: false }),
    );
  }
  let asked = 0;
  for (;;) {
    const now = realNow(deps);
    const leaseId = randomUUID();
    const claim = { now, leaseId, leasedUntil: addMs(now, LEASE_MS) };
    const check = await database.transaction((tx) => claimCheck(tx, claim));
    if (!check) return asked;
    asked += 1;
    await ask(deps, check, leaseId).catch(async (error: unknown) => {
      onFailure(error);
      await end(deps, check, leaseId, { status: 'failed', message: UNANSWERED, adopted: 0 });
    });
  }
}

const UNANSWERED = 'The provider did not answer, or refused. The log of the service says why.';
const NOT_LISTED =
  'This provider cannot list what was ordered. Look at its website, add what you find there, and record that you did.';
const DISCONNECTED = 'The account is not connected any more.';

async function ask(deps: RestoreDeps, check: DueCheck, leaseId: string): Promise<void> {
  const read = await openList(deps, check, leaseId);
  if (typeof read === 'string') {
    const status = read === NOT_LISTED ? 'cannot_list' : 'failed';
    return end(deps, check, leaseId, { status, message: read, adopted: 0 });
  }
  let { place } = check;
  for (;;) {
    const { adopted, next }: Step = await read(place);
    if (next === null) {
      return end(deps, check, leaseId, { status: 'asked', message: null, adopted });
    }
    place = next;
    if (!(await isLeased(deps.database.reads, check, leaseId))) return;
  }
}

/** Reads and records one page; or a sentence that says why there is no list. */
async function openList(
  deps: RestoreDeps,
  check: DueCheck,
  leaseId: string,
): Promise<((place: string | null) => Promise<Step>) | string> {
  const { restoreId, workspaceId, environment, projectId } = check;
  const leasedUntil = () => addMs(realNow(deps), LEASE_MS);
  if (projectId !== null) {
    const restore = { id: restoreId, since: check.since };
    return async (place) => {
      const step = await askOpenAccounts(
        { ...deps, providers: deps.rewardProviders },
        projectId,
        restore,
        place ?? '',
      );
      const { adopted, next } = step;
      if (next !== null) {
        const progress = { place: next, adopted, leasedUntil: leasedUntil() };
        await deps.database.transaction(async (tx) => updateProgress(tx, check, leaseId, progress));
      }
      return step;
    };
  }
  const method = check.method as ProviderMethod;
  const provider = await deps.findProvider({ workspaceId, environment, method });
  if (provider?.connectionId !== check.connectionId) return DISCONNECTED;
  const { records } = provider;
  if (!records?.list) return NOT_LISTED;
  const { list } = records;
  const since = addMs(check.since, -ASK_MARGIN_MS);
  const { connectionId } = provider;
  const place = { workspaceId, environment, restoreId };
  const at = { ...place, since, provider: { connectionId, method, records } };
  return async (place) => {
    const { transfers, next } = await list(since, place);
    const adopted = await recordTransfers(deps, at, transfers, (tx, count) => {
      if (next === null) return;
      const progress = { place: next, adopted: count, leasedUntil: leasedUntil() };
      updateProgress(tx, check, leaseId, progress);
    });
    return { adopted, next };
  };
}

async function end(
  deps: RestoreDeps,
  check: DueCheck,
  leaseId: string,
  answer: Pick<CheckRow, 'status' | 'message'> & { readonly adopted: number },
): Promise<void> {
  const now = realNow(deps);
  const isFailed = answer.status === 'failed';
  const tries = isFailed ? check.tries + 1 : 0;
  const dueAt = isFailed ? addMs(now, waitAfter(tries)) : null;
  const askedAt = answer.status === 'asked' ? now : null;
  await deps.database.transaction(async (tx) =>
    updateAnswered(tx, check, leaseId, { ...answer, tries, askedAt, dueAt }),
  );
}
