// What refunds and disputes leave of a purchase.

import type { Bound } from './measures.ts';

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
  /** Who has bought for a group. */
  readonly actor: string | null;
  readonly subscription: string | null;
  readonly invoice: string | null;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly occurredAt: string;
  readonly receivedAt: string;
  readonly adjustments: Adjustment[];
  isDecided: boolean;
  /** The referral that it counts for. */
  credit: Bound | null;
  /** In loyalty programs, those of its own buyer. */
  readonly loyalty: Bound[];
}

interface Left {
  /** Refunded, or lost in disputes: it does not come back by itself. */
  readonly gone: bigint;
  /** In open disputes. */
  readonly disputed: bigint;
  readonly refunded: bigint;
}

interface Dispute {
  readonly key: string;
  claim: bigint;
  state: 'open' | 'won' | 'lost';
}

/** Adjustments count in the order in which they happened. In a world they are undone as a whole or not at all. */
export function leftOf({
  amountMinor,
  adjustments,
}: Pick<Bought, 'amountMinor' | 'adjustments'>): Left {
  const inOrder = adjustments.toSorted((a, b) => (a.occurredAt < b.occurredAt ? -1 : 1));
  let refunded = 0n;
  const disputes: Dispute[] = [];
  /** Older disputes hold first; nothing holds more than there is. */
  const holdings = () => {
    let rest = amountMinor > refunded ? amountMinor - refunded : 0n;
    return disputes.map((dispute) => {
      const held = dispute.state === 'won' ? 0n : smaller(dispute.claim, rest);
      rest -= held;
      return { dispute, held };
    });
  };
  for (const one of inOrder) {
    const dispute = disputes.find(({ key }) => key === one.of);
    if (one.kind === 'refund' && !isUndone(adjustments, one)) {
      // "A refund while a dispute is open converts the disputed part first."
      let rest = one.amountMinor;
      for (const holding of holdings()) {
        if (holding.dispute.state !== 'open') continue;
        const converted = smaller(holding.held, rest);
        holding.dispute.claim -= converted;
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
  const held = (state: Dispute['state']) =>
    holdings().reduce((sum, one) => (one.dispute.state === state ? sum + one.held : sum), 0n);
  return { gone: refunded + held('lost'), disputed: held('open'), refunded };
}

const smaller = (a: bigint, b: bigint) => (a < b ? a : b);

const isUndone = (adjustments: readonly Adjustment[], { key }: Adjustment) =>
  adjustments.some(({ kind, of }) => kind === 'restoration' && of === key);

/** Whether the contract lets it happen: what is undone must be there, and no more is refunded than was paid. */
export function isAllowed({ amountMinor, adjustments }: Bought, next: Adjustment): boolean {
  if (next.of !== null) {
    const target = adjustments.find(({ key }) => key === next.of);
    const isEnded = adjustments.some(({ of }) => of === next.of);
    return target !== undefined && !isEnded;
  }
  if (next.kind === 'dispute') return true;
  const all = [...adjustments, next];
  const { refunded } = leftOf({ amountMinor, adjustments: all });
  // What was lost before cannot be refunded as well.
  const before = adjustments.filter(({ occurredAt }) => occurredAt <= next.occurredAt);
  const lost = leftOf({ amountMinor, adjustments: before });
  return refunded + (lost.gone - lost.refunded) <= amountMinor;
}

/** A disputed amount counts until the dispute is lost. */
export const paidFor = (purchase: Bought): bigint => purchase.amountMinor - leftOf(purchase).gone;
