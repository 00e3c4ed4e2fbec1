import type { Tx } from '../db/database.ts';
import type { Participant } from './schema.ts';
import { listByBillingIds } from './store.ts';

/** Who has this billing id. */
export async function findBilled(
  tx: Tx,
  projectId: string,
  billingId: string,
): Promise<Participant | undefined> {
  const [participant] = await listByBillingIds(tx, projectId, [billingId]);
  return participant;
}
