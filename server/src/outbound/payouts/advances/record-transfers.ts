import { findProjectIds } from '../../../accounts/workspaces/queries.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { Environment } from '../../../platform/http/access/principal.ts';
import type { Keyring } from '../../../platform/kit/keyring.ts';
import { findBatch, lockBatch, updateBatch } from '../batches/batch-store.ts';
import { continueCancellation } from '../batches/cancel-batch.ts';
import { resumeBatch } from '../batches/resume-batch.ts';
import { listOwnersOf } from '../details/details-store.ts';
import { fingerprintDetails, maskDetails } from '../details/seal-details.ts';
import { type PayoutDeps, realNow } from '../payout-deps.ts';
import type { FoundTransfer, PayoutProvider, TransferRecords } from '../provider.ts';
import { REFUSALS_MAX } from '../schedule.ts';
import { batchTransition } from '../states.ts';
import type { AdvanceRow } from './advance.ts';
import { insertAdvances, listCandidates, listOrdering, updateFound } from './advance-store.ts';
import { judgeTransfer, type OrderedBy, type TransferVerdict } from './judge-transfer.ts';

export interface RecordDeps extends PayoutDeps {
  readonly keyring: Keyring;
}

/** Where transfers were found, and since when the books are not certain to have them. */
export interface FoundAt {
  readonly workspaceId: string;
  readonly environment: Environment;
  readonly restoreId: string;
  readonly since: string;
  readonly provider: Pick<PayoutProvider, 'connectionId' | 'method'> & {
    readonly records: TransferRecords;
  };
}

type Payout = Awaited<ReturnType<typeof listOrdering>>[number];
type Judged = {
  readonly found: FoundTransfer;
  readonly by: (OrderedBy & { readonly payout: Payout }) | null;
  readonly verdict: TransferVerdict;
};

/**
 * Adopts into the books what they do not have of a provider's transfers. `besides` is done in the
 * transaction that records them. A batch that has not been submitted here, although one of its
 * transfers was made, is cancelled first: its rewards wait for a batch that counts the advance. May
 * be interrupted anywhere and called again. Returns how many transfers became advances.
 */
export async function recordTransfers(
  deps: RecordDeps,
  at: FoundAt,
  found: readonly FoundTransfer[],
  besides: (tx: Tx, adopted: number) => void = () => undefined,
): Promise<number> {
  const first = await judgeAll(deps, at, found);
  const batchIds = first.flatMap(({ by, verdict }) =>
    verdict === 'adopted' && by ? [by.payout.batchId] : [],
  );
  for (const batchId of new Set(batchIds)) await withdrawBatch(deps, batchId);
  // A batch that was being submitted is submitted now, and its transfers are only advanced.
  const judged = batchIds.length === 0 ? first : await judgeAll(deps, at, found);
  const adopted = await Promise.all(
    judged.filter(({ verdict }) => verdict === 'adopted').map((one) => toAdvance(deps, at, one)),
  );
  const now = realNow(deps);
  await deps.database.transaction(async (tx) => {
    insertAdvances(tx, adopted);
    for (const { found: one, by, verdict } of judged) {
      if (verdict !== 'advanced' || !by) continue;
      const { reference, madeAt: sentAt } = one;
      const { connectionId } = at.provider;
      const sent = { payoutId: by.payout.id, attempt: by.attempt, sentAt, reference, connectionId };
      updateFound(tx, sent, now);
    }
    besides(tx, adopted.length);
  });
  return adopted.length;
}

async function judgeAll(
  deps: RecordDeps,
  at: FoundAt,
  found: readonly FoundTransfer[],
): Promise<Judged[]> {
  const { records, method } = at.provider;
  const { reads } = deps.database;
  const named = found.flatMap(({ payoutId }) => payoutId ?? []);
  const isUnnamed = found.some(({ payoutId }) => payoutId === null);
  const payouts = [
    ...(named.length === 0 ? [] : await listOrdering(reads, named)),
    ...(isUnnamed
      ? await listCandidates(reads, at.workspaceId, at.environment, method, at.since)
      : []),
  ];
  const byMark = new Map(
    payouts.flatMap((payout) =>
      attemptsOf(payout).map((attempt) => {
        const mark = records.markOf(`${payout.id}_${attempt}`);
        return [mark, { payout, attempt }] as const;
      }),
    ),
  );
  return found.map((one) => {
    const by = byMark.get(one.mark) ?? null;
    // Two workspaces may pay from one account.
    const isForeign = by !== null && by.payout.workspaceId !== at.workspaceId;
    return { found: one, by, verdict: isForeign ? 'ignored' : judgeTransfer(one, by) };
  });
}

function attemptsOf(payout: Payout): number[] {
  return Array.from({ length: Math.max(REFUSALS_MAX, payout.attempt) }, (_, index) => index + 1);
}

async function toAdvance(
  deps: RecordDeps,
  { workspaceId, environment, restoreId, provider }: FoundAt,
  { found, by }: Judged,
): Promise<AdvanceRow> {
  const { account, currency, currencyExponent, amountMinor, madeAt, reference } = found;
  const fingerprint = account && fingerprintDetails(deps.keyring, workspaceId, account);
  const place = { workspaceId, environment };
  const now = realNow(deps);
  return {
    id: deps.newId('adv'),
    workspaceId,
    environment,
    restoreId,
    connectionId: provider.connectionId,
    method: provider.method,
    reference,
    payoutId: found.payoutId ?? by?.payout.id ?? null,
    payee: by?.payout.payee ?? (fingerprint && (await findOnlyOwner(deps, place, fingerprint))),
    fingerprint,
    label: account && maskDetails(account),
    currency,
    currencyExponent,
    amountMinor,
    madeAt,
    status: 'counted',
    decidedBy: null,
    reason: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** The payee who is paid to an account; null if it is nobody's, or of several. */
async function findOnlyOwner(
  { database: { reads } }: RecordDeps,
  place: { readonly workspaceId: string; readonly environment: Environment },
  fingerprint: string,
): Promise<string | null> {
  const owners = new Set(await listOwnersOf(reads, '', fingerprint));
  for (const projectId of await findProjectIds(reads, place.workspaceId, place.environment)) {
    for (const ownerId of await listOwnersOf(reads, projectId, fingerprint)) {
      owners.add(`${projectId}:${ownerId}`);
    }
  }
  const [only, ...others] = owners;
  return only !== undefined && others.length === 0 ? only : null;
}

/** Completes what a batch was doing, then cancels it unless it is submitted. */
async function withdrawBatch(deps: RecordDeps, batchId: string): Promise<void> {
  const { reads } = deps.database;
  const before = await findBatch(reads, batchId);
  if (before && before.status !== 'reserving') await resumeBatch(deps, before);
  await deps.database.transaction(async (tx) => {
    const batch = await lockBatch(tx, batchId);
    const status = batch && batchTransition(batch.status, 'cancel');
    if (batch && status) updateBatch(tx, { ...batch, status, updatedAt: realNow(deps) });
  });
  const batch = await findBatch(reads, batchId);
  if (batch) await continueCancellation(deps, batch);
}
