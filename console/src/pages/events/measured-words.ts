import type { Explanation } from '../people/queries.ts';
import { measureWords, ordinal, WINDOWS } from '../programs/terms/growth/measure-words.ts';

type Rule = Explanation['rules'][number];
export type PinnedStep = NonNullable<Rule['tier']>;
export type PinnedMilestone = NonNullable<Rule['milestone']>;

const plain = (number: string) => BigInt(number).toLocaleString();

const NOUNS = { referrals: 'referral', purchases: 'purchase', revenue: '' } as const;

/** The event that makes one more of each measure. */
const MADE_BY: Readonly<Record<string, string>> = { signup: 'referrals', purchase: 'purchases' };

/** `, including 4 carried over, without 2 from rejected referrals`; nothing if all of it was counted here. */
function partsWords(
  parts: Pick<PinnedStep, 'carried' | 'rejected'> & Pick<PinnedMilestone, 'underReview'>,
  words: (number: string) => string,
): string {
  const { carried, rejected, underReview } = parts;
  const included = [
    ...(carried === '0' ? [] : [`${words(carried)} carried over`]),
    ...(underReview === undefined ? [] : [`${words(underReview)} from referrals under review`]),
  ];
  const including = included.length === 0 ? '' : `, including ${included.join(' and ')}`;
  const without =
    rejected === undefined ? '' : `, without ${words(rejected)} from rejected referrals`;
  return including + without;
}

/** `the 6th referral: step from 5`. `currency` is that of the terms; `eventType` may be unknown. */
export function stepWords(
  step: PinnedStep,
  currency: string | null,
  eventType: string | null,
): string {
  const { measure, window, value, from } = step;
  const about = { one: NOUNS[measure], currency };
  const words = (number: string) => measureWords(measure, number, about);
  const when = window === 'all_time' ? '' : ` (${WINDOWS[window].toLowerCase()})`;
  if (measure === 'revenue') {
    const of = `${words(value)} of revenue${when}${partsWords(step, words)}`;
    return `${of}: step from ${words(from)}`;
  }
  const isNext = MADE_BY[eventType ?? ''] === measure && value !== '0';
  const count = isNext ? `the ${ordinal(value)} ${about.one}` : words(value);
  return `${count}${when}${partsWords(step, plain)}: step from ${plain(from)}`;
}

/** `9 of 10 referrals`, `$20.00 of $10.00 of revenue, for the 2nd time`. */
export function milestoneWords(milestone: PinnedMilestone, currency: string | null): string {
  const { measure, value, at, multiple } = milestone;
  const words = (number: string) =>
    measureWords(measure, number, { one: NOUNS[measure], currency });
  const of =
    measure === 'revenue'
      ? `${words(value)} of ${words(at)} of revenue`
      : `${plain(value)} of ${words(at)}`;
  const all = `${of}${partsWords(milestone, measure === 'revenue' ? words : plain)}`;
  return multiple === 1 ? all : `${all}, for the ${ordinal(String(multiple))} time`;
}

/** `They have 9 of 10 referrals: 1 more is needed.` If what was carried over reaches it alone, it was given elsewhere. */
export function missingSentence(milestone: PinnedMilestone, currency: string | null): string {
  const { measure, value, carried, at } = milestone;
  if (BigInt(carried) >= BigInt(at)) {
    return `They have ${milestoneWords(milestone, currency)}: what was carried over counts as given before.`;
  }
  const missing = BigInt(at) - BigInt(value);
  const more =
    measure === 'revenue'
      ? measureWords(measure, String(missing), { one: '', currency })
      : missing.toLocaleString();
  const verb = missing === 1n || measure === 'revenue' ? 'is' : 'are';
  return `They have ${milestoneWords(milestone, currency)}: ${more} more ${verb} needed.`;
}
