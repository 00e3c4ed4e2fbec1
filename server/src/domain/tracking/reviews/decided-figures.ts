import { differenceOf, type Figure } from '../../../platform/figures/tally.ts';
import type { Instant } from '../../../platform/kit/instant.ts';
import type { ProgramBook } from '../../programs/program-book.ts';
import type { Purchase, StoredReferral } from '../batch/facts.ts';
import {
  leftOf,
  rejectedPurchases,
  rejectedReferral,
  reviewedReferral,
} from '../batch/measures.ts';

/** Purchases of a day that were credited to a referral and count alike, with the sums of their amounts. */
export interface CreditedPurchases
  extends Pick<Purchase, 'amountMinor' | 'refundedMinor' | 'disputedMinor' | 'currency'> {
  readonly receivedAt: Instant;
  readonly howMany: bigint;
}

/** What is known of a referral when its review is decided. */
interface Counted {
  /** At least those of the referee. */
  readonly figures: Iterable<Figure>;
  /** Needed for a rejection. */
  readonly purchases: readonly CreditedPurchases[];
  readonly book: Pick<ProgramBook, 'programs'>;
}

/**
 * What the decision about a referral changes: what it has counted is not under review any more, and once it is rejected it
 * is counted for measures to leave it out.
 */
export function decidedFigures(
  referral: StoredReferral,
  { figures, purchases, book }: Counted,
): Figure[] {
  const rejected =
    referral.reviewStatus === 'rejected' ? rejectedFigures(referral, purchases, book) : [];
  return differenceOf(reviewedReferral(referral, figures), rejected);
}

function rejectedFigures(
  referral: StoredReferral,
  purchases: readonly CreditedPurchases[],
  days: Pick<ProgramBook, 'programs'>,
): Figure[] {
  return [
    ...rejectedReferral(referral, days),
    ...purchases.flatMap(({ receivedAt, howMany, ...sums }) =>
      rejectedPurchases(leftOf(sums, howMany), { ...referral, receivedAt }, days),
    ),
  ];
}
