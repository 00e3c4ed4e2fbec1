import type { ParticipantDetail } from '../people/queries.ts';
import { measureWords } from '../programs/terms/growth/measure-words.ts';

type Start = ParticipantDetail['startingMeasures'][number];

/** `12 referrals, 1 purchase, $250.00 of revenue`. */
export function startWords({ referrals, purchases, revenue }: Start): string {
  const counted = (measure: 'referrals' | 'purchases', value: string, one: string) =>
    value === '0' ? [] : [measureWords(measure, value, { one, currency: null })];
  return [
    ...counted('referrals', referrals, 'referral'),
    ...counted('purchases', purchases, 'purchase'),
    ...revenue.map(
      ({ currency, amountMinor }) =>
        `${measureWords('revenue', amountMinor, { one: '', currency })} of revenue`,
    ),
  ].join(', ');
}
