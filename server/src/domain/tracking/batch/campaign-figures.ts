import { type Figure, figure } from '../../../platform/figures/tally.ts';
import { type CountedPurchase, netOf } from './fact-figures.ts';
import type { StoredReferral } from './facts.ts';

/** The subject of a Program's figures by campaign; their parts are those of `campaignPart`. */
export function campaignsOf(programId: string): string {
  return `${programId}:campaigns`;
}

/** A referral that came by a campaign, or its credit. */
type Counted = Pick<StoredReferral, 'programId' | 'campaign'>;

/**
 * What a referral and its purchases add to their campaign. All of it counts in the month of the referral, so
 * that a campaign has one row a month.
 */
function ofCampaign({ programId, campaign }: Counted, name: string, value: bigint): Figure[] {
  return campaign === null ? [] : [figure(campaignsOf(programId), campaign, name, value)];
}

export function campaignReferralsOf(referral: Counted, howMany: bigint = 1n): Figure[] {
  return ofCampaign(referral, 'referrals', howMany);
}

export function campaignCustomersOf(
  referral: Counted & Pick<StoredReferral, 'firstPurchaseAt'>,
  howMany: bigint = 1n,
): Figure[] {
  return referral.firstPurchaseAt === null ? [] : ofCampaign(referral, 'customers', howMany);
}

export function campaignRevenueOf(purchase: CountedPurchase, credit: Counted): Figure[] {
  return ofCampaign(credit, `revenue:${purchase.currency}`, netOf(purchase));
}
