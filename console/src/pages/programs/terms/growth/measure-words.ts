import { exponentOf } from '../../../../ui/currencies.ts';
import { formatMinor } from '../../../../ui/money.tsx';
import { countOf } from '../../../../ui/words.ts';
import type { ProgramKind } from '../../queries.ts';
import type { Measure, Tiers } from './growth-form.ts';

/** For menus. */
export const MEASURES: Record<Measure, string> = {
  referrals: 'People they brought',
  purchases: 'Purchases',
  revenue: 'Revenue',
};

export const WINDOWS: Record<Tiers['window'], string> = {
  all_time: 'All time',
  calendar_month: 'This calendar month',
  rolling_30_days: 'The last 30 days',
};

/** `5th`, `21st`, `1,112th`. */
export function ordinal(count: string): string {
  const number = BigInt(count);
  const isTeen = number % 100n >= 11n && number % 100n <= 13n;
  const ending = isTeen ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[Number(number % 10n)] ?? 'th');
  return `${number.toLocaleString()}${ending}`;
}

/** `4 friends`, `1 purchase`, `$1,000.00`. */
export function measureWords(
  measure: Measure,
  value: string,
  { one, currency }: { readonly one: string; readonly currency: string | null },
): string {
  if (measure !== 'revenue') {
    const number = BigInt(value);
    return number <= 9_007_199_254_740_991n
      ? countOf(Number(number), one)
      : `${number.toLocaleString()} ${one}s`;
  }
  const exponent = currency === null ? undefined : exponentOf(currency);
  return currency !== null && exponent !== undefined
    ? formatMinor(value, currency, exponent)
    : BigInt(value).toLocaleString();
}

/** What one of the measure is called in a program. */
export function nounOf(measure: Measure, kind: ProgramKind): string {
  if (measure === 'purchases') return 'purchase';
  return kind === 'affiliate' ? 'customer' : 'friend';
}
