// What refunds and disputes leave of a purchase.

export interface Adjustment {
  readonly key: string;
  readonly kind: 'refund' | 'dispute' | 'restoration' | 'dispute_lost';
  readonly amountMinor: bigint;
  /** What it undoes, or which dispute is lost. */
  readonly of: string | null;
  readonly occurredAt: string;
}

export interface Bought {
  readonly key: string;
  readonly person: string;
  readonly amountMinor: bigint;
  readonly occurredAt: string;
  readonly receivedAt: string;
  readonly adjustments: Adjustment[];
  isDecided: boolean;
}

interface Left {
  /** Refunded, or lost in disputes: it does not come back by itself. */
  readonly gone: bigint;
  /** In open disputes. */
  readonly disputed: bigint;
}

/** Adjustments count in the order in which they happened. In a world they are undone as a whole or not at all. */
export function leftOf({ amountMinor, adjustments }: Bought): Left {
  const inOrder = adjustments.toSorted((a, b) => (a.occurredAt < b.occurredAt ? -1 : 1));
  const isUndone = ({ key }: Adjustment) =>
    adjustments.some((one) => one.kind === 'restoration' && one.of === key);
  let refunded = 0n;
  const disputes: { key: string; claim: bigint; state: 'open' | 'won' | 'lost' }[] = [];
  /** Older disputes hold first; nothing holds more than there is. */
  const holdings = () => {
    let rest = amountMinor - refunded;
    return disputes.map((dispute) => {
      const held = dispute.state === 'won' ? 0n : smaller(dispute.claim, rest);
      rest -= held;
      return { dispute, held };
    });
  };
  for (const one of inOrder) {
    const dispute = disputes.find(({ key }) => key === one.of);
    if (one.kind === 'refund' && !isUndone(one)) {
      // "A refund while a dispute is open converts the disputed part first."
      let rest = one.amountMinor;
      for (const { dispute, held } of holdings().filter(
        ({ dispute }) => dispute.state === 'open',
      )) {
        const converted = smaller(held, rest);
        dispute.claim -= converted;
        rest -= converted;
      }
      refunded += one.amountMinor;
    }
    if (one.kind === 'dispute') {
      disputes.push({ key: one.key, claim: one.amountMinor, state: 'open' });
    }
    if (one.kind === 'restoration' && dispute) dispute.state = 'won';
    if (one.kind === 'dispute_lost' && dispute) dispute.state = 'lost';
  }
  const held = (state: string) =>
    holdings().reduce((sum, one) => (one.dispute.state === state ? sum + one.held : sum), 0n);
  return { gone: refunded + held('lost'), disputed: held('open') };
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b);

/** A disputed amount counts until the dispute is lost. */
export const paidFor = (purchase: Bought): bigint => purchase.amountMinor - leftOf(purchase).gone;
