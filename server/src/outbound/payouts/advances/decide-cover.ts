import { groupBy } from '../../../platform/kit/group-by.ts';
import { smallerOf } from '../../../platform/kit/money.ts';
import type { AdvanceBalance, AdvanceUse } from './advance.ts';

/** A payout that is about to be fixed. */
export interface Coverable {
  readonly id: string;
  readonly payee: string;
  /** Of the account that it goes to. */
  readonly fingerprint: string;
  readonly currency: string;
  readonly amountMinor: bigint;
}

type Left = Pick<AdvanceBalance, 'id' | 'payee' | 'fingerprint' | 'currency' | 'leftMinor'>;

/**
 * The parts of payouts that were paid in advance. Each payout uses the advances of its payee in its
 * currency, and those of its account whose payee is not known, in the given order. No payout uses
 * more than its amount, and no advance is used beyond what is left of it.
 */
export function decideCover(
  payouts: readonly Coverable[],
  advances: readonly Left[],
): AdvanceUse[] {
  const left = new Map(advances.map(({ id, leftMinor }) => [id, leftMinor]));
  const byCurrency = groupBy(advances, ({ currency }) => currency);
  return payouts.flatMap(({ id: payoutId, payee, fingerprint, currency, amountMinor }) => {
    let owed = amountMinor;
    return (byCurrency.get(currency) ?? []).flatMap((advance): AdvanceUse[] => {
      const isTheirs =
        advance.payee === null ? advance.fingerprint === fingerprint : advance.payee === payee;
      const available = left.get(advance.id) ?? 0n;
      if (!isTheirs || available <= 0n || owed <= 0n) return [];
      const used = smallerOf(available, owed);
      left.set(advance.id, available - used);
      owed -= used;
      return [{ advanceId: advance.id, payoutId, amountMinor: used }];
    });
  });
}
