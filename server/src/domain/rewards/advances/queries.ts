import type { Queryable } from '../../../platform/db/driver.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import { type CreditTotal, sumAdvances } from './advance-store.ts';

/** The advances on balances of these Projects after a restore, by currency. */
export async function sumCredits(
  db: Queryable,
  projectIds: readonly string[],
  restoreId: string,
): Promise<CreditTotal[]> {
  const found: CreditTotal[] = [];
  for (const projectId of projectIds) found.push(...(await sumAdvances(db, projectId, restoreId)));
  return [...groupBy(found, ({ currency }) => currency)].map(([currency, mine]) => ({
    currency,
    count: mine.reduce((sum, { count }) => sum + count, 0),
    amountMinor: mine.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    leftMinor: mine.reduce((sum, { leftMinor }) => sum + leftMinor, 0n),
  }));
}
