import { formatMinor } from '../../ui/money.tsx';
import { join } from '../../ui/words.ts';
import type { Batch, Payout } from './states.ts';

export const payoutCountOf = (batch: Batch): number =>
  batch.totals.reduce((sum, { payoutCount }) => sum + payoutCount, 0);

/** `€20.00 and $500.00`; one sum for each currency. */
export const sumsOf = (totals: readonly Sum[]): string =>
  join(
    totals.map(({ amountMinor, currency, currencyExponent }) =>
      formatMinor(amountMinor, currency, currencyExponent),
    ),
  );

type Sum = Pick<Batch['totals'][number], 'amountMinor' | 'currency' | 'currencyExponent'>;

/** One sum for each currency, exact. */
export function addUp(amounts: readonly Sum[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const { amountMinor, currency, currencyExponent } of amounts) {
    const before = BigInt(sums.get(currency)?.amountMinor ?? 0);
    const sum = String(before + BigInt(amountMinor));
    sums.set(currency, { amountMinor: sum, currency, currencyExponent });
  }
  return [...sums.values()];
}

export interface Overview {
  readonly payees: number;
  readonly byStatus: readonly { readonly status: Payout['status']; readonly count: number }[];
  /** Whether there are more payouts than were looked at. */
  readonly isPartial: boolean;
}

/** In the order in which one wants to see them: what needs somebody first. */
const ORDER: readonly Payout['status'][] = [
  'failed',
  'returned',
  'processing',
  'approved',
  'draft',
  'paid',
  'cancelled',
];

/** How the payouts of a batch stand. A payee may have one for each currency. */
export function overviewOf(payouts: readonly Payout[], isPartial: boolean): Overview {
  const counts = new Map<Payout['status'], number>();
  const payees = new Set<string>();
  for (const { status, rewards } of payouts) {
    counts.set(status, (counts.get(status) ?? 0) + 1);
    if (status === 'cancelled') continue;
    for (const { beneficiary } of rewards) payees.add(beneficiary.participantId);
  }
  return {
    payees: payees.size,
    byStatus: ORDER.flatMap((status) => {
      const count = counts.get(status);
      return count === undefined ? [] : [{ status, count }];
    }),
    isPartial,
  };
}
