import type { Queryable } from '../../../platform/db/driver.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import type { AdvanceBalance, AdvanceUse } from './advance.ts';
import { listUsesOf } from './advance-store.ts';

export { listAdvances, sumAdvances } from './advance-store.ts';

export interface UsedAdvance extends AdvanceBalance {
  readonly uses: readonly AdvanceUse[];
}

/** With the payouts that count them. */
export async function withUses(
  db: Queryable,
  advances: readonly AdvanceBalance[],
): Promise<UsedAdvance[]> {
  const ids = advances.map(({ id }) => id);
  const uses = groupBy(await listUsesOf(db, ids), ({ advanceId }) => advanceId);
  return advances.map((advance) => ({ ...advance, uses: uses.get(advance.id) ?? [] }));
}
