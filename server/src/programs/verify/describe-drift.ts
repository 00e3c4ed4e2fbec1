import type { Comparison } from '../../outbound/reconciliation/compare.ts';
import { type Difference, difference } from './finding.ts';

/** Where the providers' records differ from the store. Unanswered items count as equal. */
export function describeDrift(drift: readonly Comparison[]): Difference[] {
  return drift.flatMap(({ subject, id, method, believed, reported, verdict }) =>
    verdict === 'differs'
      ? [
          difference(subject, id, `delivered by ${method}`, {
            stored: believed,
            expected: reported,
          }),
        ]
      : [],
  );
}
