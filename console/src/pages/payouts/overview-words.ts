import type { Answer } from '../../api/client.ts';
import { formatMinor } from '../../ui/money.tsx';
import { join } from '../../ui/words.ts';

export type Overview = Answer<'/v1/payout-overview'>['data'];
export type WaitingGroup = Overview['waiting'][number];

interface ReasonWords {
  readonly label: string;
  /** What it waits for, and who can do something about it. */
  readonly meaning: string;
}

const REASONS: Readonly<Record<string, ReasonWords>> = {
  other_delivery_method: {
    label: 'Not paid by payouts',
    meaning:
      'The delivery method of these rewards is not “Payouts”: your product or your team pays them. A program’s Delivery tab changes this for rewards earned from then on.',
  },
  suspended: {
    label: 'Partner suspended',
    meaning: 'It waits until the partner is reinstated.',
  },
  under_review: {
    label: 'Under review',
    meaning: 'It waits until somebody approves or rejects the referral under Reviews.',
  },
  on_hold: {
    label: 'Still held',
    meaning: 'The hold of the program leaves time for refunds. Nothing has to be done.',
  },
  debt: {
    label: 'They owe you',
    meaning:
      'What they were paid for was refunded or voided later, so they got more than they earned. It is deducted from what they earn next.',
  },
  awaiting_payout_details: {
    label: 'No payout details',
    meaning:
      'These people have not said where to pay them, or their account was refused. They enter it in the widget or on the partner page.',
  },
  account_not_connected: {
    label: 'No account to pay from',
    meaning:
      'Their payout details are for a provider that is not used here. Connect an account for this environment under Integrations, or choose another method.',
  },
  below_minimum: {
    label: 'Below the minimum',
    meaning:
      'It is carried over until there is enough. Settings has the minimum for each currency.',
  },
  above_maximum: {
    label: 'Above the maximum',
    meaning: 'The amount is too large for one transfer. Draft a batch with an earlier cut-off.',
  },
};

export const describeReason = (reason: string): ReasonWords =>
  REASONS[reason] ?? { label: reason, meaning: 'A reason that this console does not know.' };

/** An amount as its group names it: what they owe is a number above zero. */
export const amountIn = (reason: string, amountMinor: string): string =>
  reason === 'debt' ? String(-BigInt(amountMinor)) : amountMinor;

/** What a group comes to: `$12.50 and €3.00`. */
export const sayGroup = ({ reason, sums }: Pick<WaitingGroup, 'reason' | 'sums'>): string =>
  saySums(sums.map((sum) => ({ ...sum, amountMinor: amountIn(reason, sum.amountMinor) })));

/** `$12.50 and €3.00`. */
export const saySums = (sums: WaitingGroup['sums']): string =>
  join(sums.map((sum) => formatMinor(sum.amountMinor, sum.currency, sum.currencyExponent)));
