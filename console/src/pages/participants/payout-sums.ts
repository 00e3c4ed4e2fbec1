import type { Row } from '../../api/client.ts';
import { formatMinor } from '../../ui/money.tsx';
import { join } from '../../ui/words.ts';

type Reward = Row<'/v1/rewards'>;
type Payout = Row<'/v1/payouts'>;

export interface CashSum {
  readonly currency: string;
  readonly exponent: number;
  /** The current value of their rewards, whoever pays them. */
  readonly earnedMinor: string;
  /** What transfers paid them, without returns. */
  readonly paidMinor: string;
  /** What the next payouts still have to pay; negative if they were paid too much. */
  readonly dueMinor: string;
}

/** What a reward should have paid by now. */
const worthOf = ({ money, void: voided }: Reward) =>
  money && !voided ? BigInt(money.netAmountMinor) : 0n;

/**
 * The state of somebody's cash per currency, by the transfers made and not by the current value of
 * their rewards: a refund after a payout does not undo the payout.
 */
export function cashSums(rewards: readonly Reward[], payouts: readonly Payout[]): CashSum[] {
  const sums = new Map<string, { exponent: number; earned: bigint; paid: bigint; due: bigint }>();
  const sumOf = (currency: string, exponent: number) => {
    const sum = sums.get(currency) ?? { exponent, earned: 0n, paid: 0n, due: 0n };
    sums.set(currency, sum);
    return sum;
  };
  const paidFor = new Map<string, bigint>();
  for (const { status, currency, currencyExponent, rewards: lines } of payouts) {
    if (status !== 'paid') continue;
    for (const { rewardId, amountMinor } of lines) {
      sumOf(currency, currencyExponent).paid += BigInt(amountMinor);
      paidFor.set(rewardId, (paidFor.get(rewardId) ?? 0n) + BigInt(amountMinor));
    }
  }
  for (const reward of rewards) {
    const { benefitKind, money, delivery } = reward;
    if (benefitKind !== 'cash' || !money) continue;
    const sum = sumOf(money.currency, money.currencyExponent);
    sum.earned += worthOf(reward);
    if (delivery.method === 'payout') sum.due += worthOf(reward) - (paidFor.get(reward.id) ?? 0n);
  }
  return [...sums].map(([currency, { exponent, earned, paid, due }]) => ({
    currency,
    exponent,
    earnedMinor: String(earned),
    paidMinor: String(paid),
    dueMinor: String(due),
  }));
}

/**
 * What prevents the payment of their cash, if they or we can change it. `sums` are null for a user who may not read
 * payouts: then nobody knows whether they owe something.
 */
export function payoutObstacle(
  rewards: readonly Reward[],
  sums: readonly CashSum[] | null,
): string | null {
  const has = (reason: Reward['delivery']['reason']) =>
    rewards.some(({ delivery, fulfillmentStatus }) => {
      return fulfillmentStatus === 'pending' && delivery.reason === reason;
    });
  if (has('payout_returned'))
    return 'Their last payout was returned: the payout details may be wrong.';
  if (has('awaiting_payout_details')) return 'They have not entered payout details yet.';
  if (has('payout_failed')) return 'Their last payout failed; the next one tries again.';
  if (has('below_minimum')) return sayCarriedOver(sums);
  return null;
}

function sayCarriedOver(sums: readonly CashSum[] | null): string {
  if (!sums)
    return 'Their balance is below the minimum, or they owe something. It is carried over.';
  const debts = sums.filter(({ dueMinor }) => BigInt(dueMinor) < 0n);
  if (debts.length === 0) return 'Their balance is below the minimum and is carried over.';
  const owed = debts.map(({ dueMinor, currency, exponent }) =>
    formatMinor(String(-BigInt(dueMinor)), currency, exponent),
  );
  return `They owe ${join(owed)}: they were paid more than they have earned since. It comes off the next payout.`;
}
