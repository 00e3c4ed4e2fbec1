import { type Figure, figure } from '../../../platform/figures/tally.ts';
import { daysOf } from '../../participants/partner-days.ts';
import { type CountedCustomer, type CountedPurchase, netOf } from './fact-figures.ts';
import type { PurchaseCredit, StoredReferral } from './facts.ts';

type Referrer = Pick<StoredReferral, 'programId' | 'referrerParticipantId'>;

/**
 * What facts add to the days of a Partner in a Program: the same numbers, on the same days, as those of
 * the Program. The caller knows whether the referrer is a Partner. A recount passes how many are alike.
 */
function dayOf(
  { programId, referrerParticipantId }: Referrer,
  at: string,
  name: string,
  value: bigint,
): Figure {
  return figure(daysOf(referrerParticipantId, programId), at.slice(0, 10), name, value);
}

export function referralDaysOf(
  referral: Referrer & Pick<StoredReferral, 'selectedAt'>,
  howMany: bigint = 1n,
): Figure[] {
  return [dayOf(referral, referral.selectedAt, 'referrals', howMany)];
}

export function customerDaysOf(
  referral: Referrer & Pick<CountedCustomer, 'firstPurchaseAt'>,
  howMany: bigint = 1n,
): Figure[] {
  const { firstPurchaseAt } = referral;
  return firstPurchaseAt === null ? [] : [dayOf(referral, firstPurchaseAt, 'customers', howMany)];
}

export function purchaseDaysOf(
  credit: Referrer & Pick<PurchaseCredit, 'receivedAt'>,
  howMany: bigint = 1n,
): Figure[] {
  return [dayOf(credit, credit.receivedAt, 'purchases', howMany)];
}

export function revenueDaysOf(
  purchase: CountedPurchase,
  credit: Referrer & Pick<PurchaseCredit, 'receivedAt'>,
): Figure[] {
  return [dayOf(credit, credit.receivedAt, `revenue:${purchase.currency}`, netOf(purchase))];
}
