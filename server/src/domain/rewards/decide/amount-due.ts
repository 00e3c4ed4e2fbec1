/** The fields of a Reward that decide how much is still to be paid or credited. */
export interface Payable {
  readonly void: object | null;
  readonly netAmountMinor: bigint | null;
  /** Sum of its settled lines. */
  readonly paidMinor: bigint;
}

/** The total that the beneficiary should have received so far. */
export function targetOf(reward: Pick<Payable, 'void' | 'netAmountMinor'>): bigint {
  return reward.void === null ? (reward.netAmountMinor ?? 0n) : 0n;
}

/**
 * The next line of a Reward, in a payout or on a balance: what is owed less what was paid. Negative
 * if more was paid than is owed. Payouts find Rewards with an amount due by the column
 * `payout_due_minor`, which has the same value.
 */
export function amountDueOf(reward: Payable): bigint {
  return targetOf(reward) - reward.paidMinor;
}
