import { addToTally, type Figure, type Tally } from '../../../platform/figures/tally.ts';
import type { ProgramBook } from '../../programs/program-book.ts';
import type { Purchase, StoredReferral } from '../batch/facts.ts';
import { rejectedPurchase, rejectedReferral } from '../batch/measures.ts';

/** A purchase that was credited to a referral. */
export type CreditedPurchase = Pick<
  Purchase,
  'amountMinor' | 'refundedMinor' | 'disputedMinor' | 'currency' | 'receivedAt'
>;

/** What is counted once a referral is rejected, for measures to leave it out. */
export function rejectedFigures(
  referral: StoredReferral,
  purchases: readonly CreditedPurchase[],
  days: Pick<ProgramBook, 'programs'>,
): Figure[] {
  const figures: Tally = new Map();
  const all = [
    ...rejectedReferral(referral, days),
    ...purchases.flatMap((purchase) => {
      const { receivedAt } = purchase;
      return rejectedPurchase(purchase, { ...referral, receivedAt }, days);
    }),
  ];
  for (const one of all) addToTally(figures, one);
  return [...figures.values()].filter(({ value }) => value !== 0n);
}
