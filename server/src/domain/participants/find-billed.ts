import type { Queryable } from '../../platform/db/driver.ts';
import type { Participant } from './schema.ts';
import { listByBillingIds } from './store.ts';

/** Who has this billing id. */
export async function findBilled(
  source: Queryable,
  projectId: string,
  billingId: string,
): Promise<Participant | undefined> {
  const [participant] = await listByBillingIds(source, projectId, [billingId]);
  return participant;
}
