import { addToTally, type Figure, type Tally } from '../../../platform/figures/tally.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { ProgramBook } from '../../programs/program-book.ts';
import type { Purchase, StoredReferral } from '../batch/facts.ts';
import { leftOf, rejectedPurchases, rejectedReferral } from '../batch/measures.ts';

/** Purchases of a day that were credited to a referral and count alike, with the sums of their amounts. */
export interface CreditedPurchases
  extends Pick<Purchase, 'amountMinor' | 'refundedMinor' | 'disputedMinor' | 'currency'> {
  readonly receivedAt: Instant;
  readonly howMany: bigint;
}

/** What is counted once a referral is rejected, for measures to leave it out. */
export function rejectedFigures(
  referral: StoredReferral,
  purchases: readonly CreditedPurchases[],
  days: Pick<ProgramBook, 'programs'>,
): Figure[] {
  const figures: Tally = new Map();
  const all = [
    ...rejectedReferral(referral, days),
    ...purchases.flatMap(({ receivedAt, howMany, ...sums }) =>
      rejectedPurchases(leftOf(sums, howMany), { ...referral, receivedAt }, days),
    ),
  ];
  for (const one of all) addToTally(figures, one);
  return [...figures.values()].filter(({ value }) => value !== 0n);
}
