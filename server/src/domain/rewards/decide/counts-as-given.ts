import type { RewardRow } from '../reward.ts';

/**
 * Whether a Reward counts as given: for a cap, for "once" and for an earning period. A voided or
 * fully refunded one does not; an open dispute does not change it.
 */
export function countsAsGiven({
  void: voided,
  netAmountMinor,
  isDisputed,
}: Pick<RewardRow, 'netAmountMinor' | 'isDisputed'> & { readonly void: object | null }): boolean {
  return voided === null && (netAmountMinor === null || netAmountMinor > 0n || isDisputed);
}

/** The same condition for a row `r`, as in the index `rewards_standing`. */
export const COUNTS_AS_GIVEN = `r.void is null
  and (r.net_amount_minor is null or r.net_amount_minor > 0 or r.is_disputed)`;
