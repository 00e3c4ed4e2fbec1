import type { Queryable } from '../../../platform/db/driver.ts';
import { groupBy } from '../../../platform/kit/group-by.ts';
import type { BatchRow, BatchTotal, PayoutRow } from '../transfers/payout.ts';
import type { Sum } from '../transfers/payout-store.ts';
import { listPartSums } from './part-store.ts';

/** The amount of each payout of a batch, over all its projects. */
export async function sumParts(
  db: Queryable,
  batch: Pick<BatchRow, 'id' | 'projectIds'>,
): Promise<Map<string, Sum>> {
  const sums = new Map<string, Sum>();
  for (const projectId of batch.projectIds) {
    for (const { payoutId, amountMinor } of await listPartSums(db, projectId, batch.id)) {
      const known = sums.get(payoutId) ?? { payoutId, projectIds: [], amountMinor: 0n };
      sums.set(payoutId, {
        payoutId,
        projectIds: [...known.projectIds, projectId],
        amountMinor: known.amountMinor + amountMinor,
      });
    }
  }
  return sums;
}

/** The totals of a batch over these payouts. */
export function totalsOf(
  payouts: readonly Pick<PayoutRow, 'id' | 'currency' | 'currencyExponent'>[],
  sums: ReadonlyMap<string, Sum>,
): BatchTotal[] {
  const counted = payouts.filter(({ id }) => sums.has(id));
  return [...groupBy(counted, ({ currency }) => currency)]
    .map(([currency, mine]) => ({
      currency,
      currencyExponent: mine[0]?.currencyExponent ?? 0,
      amountMinor: String(
        mine.reduce((sum, { id }) => sum + (sums.get(id)?.amountMinor ?? 0n), 0n),
      ),
      payoutCount: mine.length,
    }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
}
