import { formatRate } from '../../../../ui/format-rate.ts';
import { formatMinor } from '../../../../ui/money.tsx';
import type { ProgramKind, Rule } from '../../queries.ts';
import { formatQuantity, type TermsFacts } from '../benefit-phrase.ts';
import type { Milestone, TierStep, Tiers } from './growth-form.ts';
import { measureWords, nounOf, ordinal } from './measure-words.ts';

/** Whose measure it is. */
export interface Measured {
  readonly kind: ProgramKind;
  readonly beneficiaryRole: Rule['beneficiaryRole'];
}

/** `20% up to 4 friends, 25% from the 5th`. */
export function stepsPhrase({ kind }: Measured, terms: TermsFacts, tiers: Tiers): string {
  const { measure, steps } = tiers;
  const about = { one: nounOf(measure, kind), currency: terms.currency };
  const words = (value: string) => measureWords(measure, value, about);
  return steps
    .map((step, index) => {
      const size = sizeWords(terms, step);
      const next = steps[index + 1];
      if (index > 0) {
        return measure === 'revenue'
          ? `${size} from ${words(step.from)}`
          : `${size} from the ${ordinal(step.from)}`;
      }
      if (!next) return size;
      if (measure === 'revenue') return `${size} below ${words(next.from)} of revenue`;
      const last = BigInt(next.from) - 1n;
      return last < 1n
        ? `${size} before the first ${about.one}`
        : `${size} up to ${words(String(last))}`;
    })
    .join(', ');
}

function sizeWords(terms: TermsFacts, { rateBps, fixedAmountMinor, quantity }: TierStep): string {
  const { benefitKind, currency, currencyExponent } = terms;
  if (benefitKind === 'custom') return formatQuantity({ quantity, unit: terms.unit });
  if (rateBps !== null) {
    return benefitKind === 'discount' ? `${formatRate(rateBps)} off` : formatRate(rateBps);
  }
  return fixedAmountMinor === null || currency === null || currencyExponent === null
    ? 'something'
    : formatMinor(fixedAmountMinor, currency, currencyExponent);
}

/** `when they have brought 10 friends, and again for each 10 more`. */
export function milestonePhrase(who: Measured, terms: TermsFacts, milestone: Milestone): string {
  const { measure, at, repeat } = milestone;
  const about = { one: nounOf(measure, who.kind), currency: terms.currency };
  const reached = measureWords(measure, at, about);
  const verb = { referrals: 'brought', purchases: 'made', revenue: 'spent' }[measure];
  const subject = measure === 'referrals' ? 'they' : buyersOf(who);
  const each = measure === 'revenue' ? reached : at === '1' ? 'one' : BigInt(at).toLocaleString();
  const again = repeat ? `, and again for each ${each} more` : '';
  return `when ${subject} have ${verb} ${reached}${again}`;
}

/** Purchases that count for a referrer are those of everybody they brought. */
const buyersOf = ({ kind, beneficiaryRole }: Measured) => {
  if (beneficiaryRole !== 'referrer') return 'they';
  return kind === 'affiliate' ? 'the customers they brought' : 'the friends they brought';
};

const WINDOWS: Record<Tiers['window'], string | null> = {
  all_time: null,
  calendar_month: 'The count begins anew with each calendar month (UTC).',
  rolling_30_days: 'Only the last 30 days count.',
};

/** What the steps are counted by, where that is not obvious. */
export function countSentences(who: Measured, { measure, window }: Tiers): (string | null)[] {
  const isTheirs = measure !== 'referrals' && who.beneficiaryRole === 'referrer';
  const buyers = who.kind === 'affiliate' ? 'customers' : 'friends';
  return [
    isTheirs ? `The purchases of all the ${buyers} they brought count together.` : null,
    WINDOWS[window],
  ];
}
