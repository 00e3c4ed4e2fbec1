import { formatMinor } from '../../ui/money.tsx';
import { join } from '../../ui/words.ts';
import type { Batch, BatchDetail, Payout } from './states.ts';

export const payoutCountOf = (batch: Pick<Batch, 'totals'>): number =>
  batch.totals.reduce((sum, { payoutCount }) => sum + payoutCount, 0);

/** `€20.00 and $500.00`; one sum per currency. */
export const sumsOf = (totals: readonly Sum[]): string =>
  join(
    totals.map(({ amountMinor, currency, currencyExponent }) =>
      formatMinor(amountMinor, currency, currencyExponent),
    ),
  );

type Sum = Pick<Batch['totals'][number], 'amountMinor' | 'currency' | 'currencyExponent'>;

/** One exact sum per currency. */
export function addUp(amounts: readonly Sum[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const { amountMinor, currency, currencyExponent } of amounts) {
    const before = BigInt(sums.get(currency)?.amountMinor ?? 0);
    const sum = String(before + BigInt(amountMinor));
    sums.set(currency, { amountMinor: sum, currency, currencyExponent });
  }
  return [...sums.values()];
}

/** In the order of display: what needs somebody comes first. */
const ORDER: readonly Payout['status'][] = [
  'failed',
  'returned',
  'processing',
  'approved',
  'draft',
  'paid',
  'cancelled',
];

/** The states of a batch's payouts, in that order. */
export const inOrder = (counts: BatchDetail['payoutsByStatus']): BatchDetail['payoutsByStatus'] =>
  counts.toSorted((one, other) => ORDER.indexOf(one.status) - ORDER.indexOf(other.status));
