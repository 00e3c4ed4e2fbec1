/** What of a Reward decides how much a payout pays for it. */
export interface Payable {
  readonly void: object | null;
  readonly netAmountMinor: bigint | null;
  /** What the settled lines of all its payouts add up to. */
  readonly paidMinor: bigint;
}

/** What it should have brought its beneficiary by now. */
export function targetOf(reward: Pick<Payable, 'void' | 'netAmountMinor'>): bigint {
  return reward.void === null ? (reward.netAmountMinor ?? 0n) : 0n;
}

/**
 * The line of a Reward in the next payout: what it should have brought, less what it has. Below
 * zero for what was paid and is not due any more. The store finds the Rewards that have one by
 * the column `payout_due_minor`, which is the same.
 */
export function lineOf(reward: Payable): bigint {
  return targetOf(reward) - reward.paidMinor;
}
