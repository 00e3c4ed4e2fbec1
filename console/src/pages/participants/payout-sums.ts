import type { Row } from '../../api/client.ts';

type Reward = Row<'/v1/rewards'>;

export interface PayoutSum {
  readonly currency: string;
  readonly exponent: number;
  readonly paidMinor: string;
  readonly waitingMinor: string;
}

/** What of somebody's cash is paid and what waits, per currency; what was voided or refunded is neither. */
export function payoutSums(rewards: readonly Reward[]): PayoutSum[] {
  const sums = new Map<string, { exponent: number; paid: bigint; waiting: bigint }>();
  for (const { benefitKind, money, fulfillmentStatus, void: voided } of rewards) {
    if (benefitKind !== 'cash' || !money || voided) continue;
    const sum = sums.get(money.currency) ?? {
      exponent: money.currencyExponent,
      paid: 0n,
      waiting: 0n,
    };
    const net = BigInt(money.netAmountMinor);
    if (fulfillmentStatus === 'fulfilled') sum.paid += net;
    else if (fulfillmentStatus !== 'cancelled') sum.waiting += net;
    sums.set(money.currency, sum);
  }
  return [...sums].map(([currency, { exponent, paid, waiting }]) => ({
    currency,
    exponent,
    paidMinor: String(paid),
    waitingMinor: String(waiting),
  }));
}

/** What keeps their cash from being paid, if anything does that they or we could change. */
export function payoutObstacle(rewards: readonly Reward[]): string | null {
  const has = (reason: Reward['delivery']['reason']) =>
    rewards.some(({ delivery, fulfillmentStatus }) => {
      return fulfillmentStatus === 'pending' && delivery.reason === reason;
    });
  if (has('payout_returned'))
    return 'Their last payout came back: the payout details may be wrong.';
  if (has('awaiting_payout_details')) return 'They have not said yet where to send money.';
  if (has('payout_failed')) return 'Their last payout failed; the next one tries again.';
  if (has('below_minimum'))
    return 'What they have is less than a payout must be, and is carried over.';
  return null;
}
