import type { DayNumbers } from '../../views/figures/fold-daily.ts';
import type { Reader } from '../reader.ts';
import type { TextName } from '../texts/texts.ts';
import type { Metric } from './choice.ts';
import { AMOUNTS, type Bar, isAmount, numberOf } from './fold-results.ts';

export const METRIC_NAMES: Readonly<Record<Metric, TextName>> = {
  clicks: 'clicks',
  referrals: 'referrals',
  sales: 'sales',
  earned: 'earned',
};

/** A number as text, exact for amounts; of amounts, that in one currency. */
export function sayNumber(
  numbers: DayNumbers,
  metric: Metric,
  currency: string | undefined,
  { formats }: Reader,
): string {
  if (!isAmount(metric)) return formats.count(numbers.count(metric));
  if (currency === undefined) return '–';
  return formats.money(numberOf(numbers, metric, currency), currency);
}

/** Amounts in every currency, one line for each. */
export function sayAmounts(
  numbers: DayNumbers,
  metric: keyof typeof AMOUNTS,
  { formats }: Reader,
): string[] {
  return [...numbers.under(AMOUNTS[metric])].map(([code, minor]) => formats.money(minor, code));
}

/** A day, or the first and the last of a week. */
export function sayWhen({ from, to }: Pick<Bar, 'from' | 'to'>, { formats }: Reader): string {
  const first = formats.day(`${from}T00:00:00.000Z`);
  return from === to ? first : `${first} – ${formats.day(`${to}T00:00:00.000Z`)}`;
}
