import type { Tx } from '../../../platform/db/database.ts';
import { listPurchasesByKey } from '../batch/adjustment-store.ts';
import type { SourceRef } from '../intake/normalize-adjustment.ts';

/** The purchase that a fact told of, as it counts: of an invoice that was told of twice, the first. */
export async function findPurchase(
  tx: Tx,
  projectId: string,
  fact: SourceRef,
): Promise<{ readonly amountMinor: bigint } | undefined> {
  const [purchase] = await listPurchasesByKey(tx, projectId, [fact]);
  return purchase?.isCounted ? { amountMinor: BigInt(purchase.amountMinor) } : undefined;
}
