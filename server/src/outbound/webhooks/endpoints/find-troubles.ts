import type { Queryable } from '../../../platform/db/driver.ts';
import { listTroubles, type TroubleRow } from '../deliveries/delivery-store.ts';

/** Enabled endpoints that do not take what they are sent; of each, none is counted beyond `most`. */
export async function findTroubles(
  source: Queryable,
  projectId: string,
  most: number,
): Promise<TroubleRow[]> {
  const rows = await listTroubles(source, projectId, most);
  return rows.filter(({ failed, retrying }) => failed + retrying > 0);
}
