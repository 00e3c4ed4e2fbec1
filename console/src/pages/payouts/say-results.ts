import { countOf } from '../../ui/words.ts';
import type { Verdict } from './check-results.ts';
import type { Outcome } from './states.ts';
import { addUp, sumsOf } from './totals.ts';

const OUTCOMES: readonly Outcome[] = ['paid', 'failed', 'returned'];

/** ` 2 transfers paid, €12.00; 1 transfer failed, €3.00.`: what would be recorded. */
export function sayResults(verdicts: readonly Verdict[]): string {
  const parts = OUTCOMES.flatMap((outcome) => {
    const payouts = verdicts.flatMap((one) =>
      one.kind === 'ready' && one.row.outcome === outcome ? [one.payout] : [],
    );
    if (payouts.length === 0) return [];
    return [`${countOf(payouts.length, 'transfer')} ${outcome}, ${sumsOf(addUp(payouts))}`];
  });
  return parts.length === 0 ? '' : ` ${parts.join('; ')}.`;
}
