import type { Tx } from '../../../platform/db/database.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import { findBatch } from '../batches/batch-store.ts';
import { findUsableDetails } from '../details/queries.ts';
import type { PayoutMethod } from '../methods.ts';
import type { PayoutDeps } from '../payout-deps.ts';
import type { BatchRow } from '../transfers/payout.ts';
import { listPayouts } from '../transfers/payout-store.ts';
import { insertUses, listFixed, lockUsable } from './advance-store.ts';
import { type Coverable, decideCover } from './decide-cover.ts';

/** Records which parts of these payouts were paid in advance. Returns how many are smaller by it. */
export async function coverPayouts(
  tx: Tx,
  place: Pick<BatchRow, 'workspaceId' | 'environment'>,
  payouts: readonly Coverable[],
): Promise<number> {
  const currencies = [...new Set(payouts.map(({ currency }) => currency))];
  if (currencies.length === 0) return 0;
  const advances = await lockUsable(tx, place, currencies);
  const uses = decideCover(payouts, advances);
  insertUses(tx, uses);
  return new Set(uses.map(({ payoutId }) => payoutId)).size;
}

export interface Listed {
  readonly workspaceId: string;
  /** Since when providers' lists were read, and of which methods. */
  readonly since: Instant;
  readonly methods: readonly PayoutMethod[];
}

/** The accounts of the payouts that were approved before the store was restored. */
export async function loadFingerprints(
  deps: PayoutDeps,
  listed: Listed,
): Promise<ReadonlyMap<string, string>> {
  const { reads } = deps.database;
  const fixed = await listFixed(reads, listed.workspaceId, listed.since, listed.methods);
  const found = new Map<string, string>();
  for (const [batchId, mine] of groupBy(fixed, (one) => one.batchId)) {
    const batch = await findBatch(reads, batchId);
    const rows = await listPayouts(
      reads,
      mine.map(({ id }) => id),
    );
    const usable = batch ? await findUsableDetails(deps, batch, rows) : new Map();
    for (const [id, { fingerprint }] of usable) found.set(id, fingerprint);
  }
  return found;
}

/**
 * The same for payouts whose approval was before the restore: their rewards may have been paid by
 * another payout since. Returns how many are smaller by it.
 */
export async function coverFixed(
  tx: Tx,
  { workspaceId, since, methods }: Listed,
  fingerprints: ReadonlyMap<string, string>,
): Promise<number> {
  const fixed = await listFixed(tx, workspaceId, since, methods);
  let covered = 0;
  for (const environment of ['sandbox', 'live'] as const) {
    const mine = fixed.filter((one) => one.environment === environment);
    const coverable = mine.map((one) => ({ ...one, fingerprint: fingerprints.get(one.id) ?? '' }));
    covered += await coverPayouts(tx, { workspaceId, environment }, coverable);
  }
  return covered;
}
