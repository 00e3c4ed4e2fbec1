/** What of a Reward decides how much is still to be paid, or credited, for it. */
export interface Payable {
  readonly void: object | null;
  readonly netAmountMinor: bigint | null;
  /** What its settled lines add up to. */
  readonly paidMinor: bigint;
}

/** What it should have brought its beneficiary by now. */
export function targetOf(reward: Pick<Payable, 'void' | 'netAmountMinor'>): bigint {
  return reward.void === null ? (reward.netAmountMinor ?? 0n) : 0n;
}

/**
 * The next line of a Reward, in a payout or on a balance: what it should have brought, less what it
 * has. Below zero for what was paid and is not due any more. Payouts find the Rewards that have one
 * by the column `payout_due_minor`, which is the same.
 */
export function amountDueOf(reward: Payable): bigint {
  return targetOf(reward) - reward.paidMinor;
}
