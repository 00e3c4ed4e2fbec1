import { formatMinor } from '../../../ui/money.tsx';
import { countOf, join } from '../../../ui/words.ts';
import type { Decision, Review } from '../queries.ts';

type Held = Pick<Review, 'heldRewards' | 'heldAmounts'>;

export const DECISIONS: Readonly<
  Record<Decision, { readonly verb: string; readonly done: string }>
> = {
  approve: { verb: 'Approve', done: 'Approved: its rewards are released.' },
  reject: { verb: 'Reject', done: 'Rejected: its rewards are voided.' },
};

/** `€30.00 and $4.00`; empty if nothing of it is money. */
export function sumText(reviews: readonly Held[]): string {
  const sums = new Map<string, { exponent: number; sum: bigint }>();
  for (const { currency, currencyExponent, amountMinor } of reviews.flatMap(
    ({ heldAmounts }) => heldAmounts,
  )) {
    const before = sums.get(currency)?.sum ?? 0n;
    sums.set(currency, { exponent: currencyExponent, sum: before + BigInt(amountMinor) });
  }
  return join(
    [...sums].map(([currency, { exponent, sum }]) => formatMinor(String(sum), currency, exponent)),
  );
}

/** `3 rewards worth €30.00`. */
function heldText(reviews: readonly Held[]): { text: string; count: number } {
  const count = reviews.reduce((sum, { heldRewards }) => sum + heldRewards, 0);
  const worth = sumText(reviews);
  return { count, text: `${countOf(count, 'reward')}${worth ? ` worth ${worth}` : ''}` };
}

/** What a decision will do, as sentences. */
export function effectsOf(decision: Decision, reviews: readonly Held[]): string[] {
  const { text, count } = heldText(reviews);
  const isOne = reviews.length === 1;
  const is = count === 1 ? 'is' : 'are';
  if (decision === 'approve') {
    return [
      count === 0 ? 'No reward waits for it.' : `${text} ${is} released and delivered as usual.`,
      isOne
        ? 'The referral goes on to earn and is not reviewed again.'
        : 'The referrals go on to earn and are not reviewed again.',
      'This cannot be undone.',
    ];
  }
  return [
    count === 0 ? 'No reward waits for it.' : `${text} ${is} voided for fraud.`,
    'What your product has granted already is marked to be taken back.',
    isOne
      ? 'The referral earns nothing from now on. It stays, and so does what was paid before.'
      : 'The referrals earn nothing from now on. They stay, and so does what was paid before.',
    'This cannot be undone.',
  ];
}
