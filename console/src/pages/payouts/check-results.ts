import type { ResultRow } from './read-results.ts';
import { outcomesFor, PAYOUT_STATES, type Payout } from './states.ts';

/** What a line of the file would change, given the current state of its payout. */
export type Verdict =
  | { readonly kind: 'ready'; readonly row: ResultRow; readonly payout: Payout }
  | { readonly kind: 'known'; readonly row: ResultRow; readonly payout: Payout }
  | { readonly kind: 'refused'; readonly row: ResultRow; readonly why: string };

/** Lines about payouts of another batch are refused: it is probably the wrong file. */
export function checkResults(
  rows: readonly ResultRow[],
  payouts: ReadonlyMap<string, Payout>,
): Verdict[] {
  return rows.map((row): Verdict => {
    if (row.problem !== null) return { kind: 'refused', row, why: row.problem };
    const payout = payouts.get(row.payoutId);
    if (!payout) return { kind: 'refused', row, why: 'This payout is not in this batch.' };
    const { status, paidAt } = payout;
    if (status === row.outcome || (row.outcome === 'paid' && paidAt !== null))
      return { kind: 'known', row, payout };
    if (row.outcome !== null && outcomesFor(status).includes(row.outcome))
      return { kind: 'ready', row, payout };
    const state = PAYOUT_STATES[status].label.toLowerCase();
    return { kind: 'refused', row, why: `It is ${state}, so it cannot become ${row.outcome}.` };
  });
}
