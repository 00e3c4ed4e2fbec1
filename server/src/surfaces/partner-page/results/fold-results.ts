import { addMs, DAY_MS } from '../../../platform/kit/instant.ts';
import type { DayNumbers } from '../../views/figures/fold-daily.ts';
import { sumOf } from '../../views/figures/fold-daily.ts';
import type { Metric } from './choice.ts';

/** One bar: a day, or the days of a week within the period. */
export interface Bar {
  readonly from: string;
  readonly to: string;
  readonly numbers: DayNumbers;
}

/** The names under which amounts are counted, by currency. */
export const AMOUNTS = { sales: 'revenue', earned: 'net' } as const;
export type Amount = keyof typeof AMOUNTS;

export function isAmount(metric: Metric): metric is Amount {
  return metric in AMOUNTS;
}

/** Longer periods are drawn by week: so many bars are as narrow as they can be told apart. */
const BARS_MAX = 92;

function isByWeek(days: readonly string[]): boolean {
  return days.length > BARS_MAX;
}

/** The days of a period, given in order, as bars. Weeks start on Monday; the first and the last may be shorter. */
export function toBars(
  days: readonly string[],
  numbersOf: (day: string) => DayNumbers | undefined,
): Bar[] {
  if (!isByWeek(days)) {
    return days.map((day) => ({ from: day, to: day, numbers: sumOf([numbersOf(day)]) }));
  }
  const weeks = new Map<string, string[]>();
  for (const day of days) {
    const monday = mondayOf(day);
    weeks.set(monday, [...(weeks.get(monday) ?? []), day]);
  }
  return [...weeks.values()].map((ofWeek) => ({
    from: ofWeek[0] ?? '',
    to: ofWeek.at(-1) ?? '',
    numbers: sumOf(ofWeek.map(numbersOf)),
  }));
}

function mondayOf(day: string): string {
  const midnight = `${day}T00:00:00.000Z`;
  // Sunday is 0.
  const passed = (new Date(midnight).getUTCDay() + 6) % 7;
  return addMs(midnight, -passed * DAY_MS).slice(0, 10);
}

/** Every currency of a period: those of more bars first, then by code. */
export function currenciesOf(bars: readonly Bar[]): string[] {
  const counts = new Map<string, number>();
  for (const { numbers } of bars) {
    const codes = Object.values(AMOUNTS).flatMap((name) => [...numbers.under(name).keys()]);
    for (const code of new Set(codes)) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .map(([code]) => code);
}

/** Counts, or minor units of a currency; 0 for amounts without one. */
export function numberOf(
  numbers: DayNumbers,
  metric: Metric,
  currency: string | undefined,
): bigint {
  if (!isAmount(metric)) return BigInt(numbers.count(metric));
  return numbers.under(AMOUNTS[metric]).get(currency ?? '') ?? 0n;
}

const STEPS = [1n, 2n, 3n, 4n, 5n, 10n];

/**
 * The top of a scale for these values, whose middle is a round number as well: 2, 4, 6, 8, 10, 20 and so
 * on. In whole major units, if `unit` is the number of minor ones of a currency.
 */
export function topOf(values: readonly bigint[], unit = 1n): bigint {
  for (let power = 2n * unit; ; power *= 10n) {
    for (const step of STEPS) {
      if (values.every((value) => value <= power * step)) return power * step;
    }
  }
}
