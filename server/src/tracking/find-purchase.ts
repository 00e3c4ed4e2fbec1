import type { Tx } from '../db/database.ts';
import { listAdjustmentsByKey, listPurchasesByKey } from './adjustment-store.ts';
import type { SourceRef } from './normalize-adjustment.ts';

/** The purchase that a fact told of, as it counts: of an invoice that was told of twice, the first. */
export async function findPurchase(
  tx: Tx,
  projectId: string,
  fact: SourceRef,
): Promise<{ readonly amountMinor: bigint; readonly refundedMinor: bigint } | undefined> {
  const [purchase] = await listPurchasesByKey(tx, projectId, [fact]);
  if (!purchase?.isCounted) return undefined;
  return { amountMinor: BigInt(purchase.amountMinor), refundedMinor: purchase.refundedMinor };
}

/** What these refunds and disputes took from their purchases together; a dispute may have found less than it was of. */
export async function findTaken(
  tx: Tx,
  projectId: string,
  facts: readonly SourceRef[],
): Promise<bigint> {
  const found = await listAdjustmentsByKey(tx, projectId, facts);
  return found.reduce((sum, { appliedMinor }) => sum + appliedMinor, 0n);
}
