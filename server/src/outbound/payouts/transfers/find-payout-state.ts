import type { Queryable } from '../../../platform/db/driver.ts';
import { findBatch } from '../batches/batch-store.ts';
import { listParts } from '../batches/part-store.ts';
import type { BatchRow, PartRow } from './payout.ts';

/** What a Project has to do with a transfer. */
export async function findPayoutState(
  source: Queryable,
  projectId: string,
  payoutId: string,
): Promise<PartRow | undefined> {
  return (await listParts(source, projectId, [payoutId]))[0];
}

/** A batch that the Project is in. */
export async function findBatchState(
  source: Queryable,
  projectId: string,
  batchId: string,
): Promise<BatchRow | undefined> {
  const batch = await findBatch(source, batchId);
  return batch?.projectIds.includes(projectId) ? batch : undefined;
}
