import type { Answer } from '../../api/client.ts';

export type Figures = Answer<'/v1/figures/daily'>['data'];
export type Day = Figures['days'][number];

interface Sum {
  readonly currency: string;
  readonly currencyExponent: number;
  readonly netAmountMinor: string;
}

/** The numbers that metrics are made of. */
interface Totals {
  readonly clicks: number;
  readonly signups: number;
  readonly customers: number;
  readonly revenue: readonly Sum[];
  readonly money: readonly Sum[];
}

/** The part of figures that tiles and charts show, of a project or of a partner. */
export interface MetricFigures {
  readonly from: string;
  readonly to: string;
  readonly total: Totals;
  readonly days: readonly (Totals & { readonly day: string })[];
  readonly previous: { readonly total: Totals } | null;
}

/** Whether a period has anything to show. */
export const hasAny = ({ clicks, signups, revenue, money }: Totals): boolean =>
  clicks > 0 || signups > 0 || revenue.length > 0 || money.length > 0;

export type Metric = 'clicks' | 'signups' | 'customers' | 'revenue' | 'cost' | 'return';

/** A currency that amounts are shown in: amounts of different currencies are never added. */
export interface Currency {
  readonly code: string;
  readonly exponent: number;
}

/** Every currency of a period: those with more revenue days first, then by code. */
export function currenciesOf({ total, days, previous }: MetricFigures): Currency[] {
  const sums = [total, ...(previous ? [previous.total] : [])].flatMap(({ revenue, money }) => [
    ...revenue,
    ...money,
  ]);
  const exponents = new Map(sums.map((one) => [one.currency, one.currencyExponent]));
  const daysWith = (code: string) =>
    days.filter(({ revenue }) => revenue.some(({ currency }) => currency === code)).length;
  return [...exponents]
    .map(([code, exponent]) => ({ code, exponent }))
    .sort((a, b) => daysWith(b.code) - daysWith(a.code) || (a.code < b.code ? -1 : 1));
}

const netIn = (sums: readonly Sum[], currency: Currency | undefined): string =>
  sums.find((one) => one.currency === currency?.code)?.netAmountMinor ?? '0';

/** Exact, in minor units. */
export const revenueIn = (totals: Totals, currency: Currency | undefined): string =>
  netIn(totals.revenue, currency);
export const costIn = (totals: Totals, currency: Currency | undefined): string =>
  netIn(totals.money, currency);

/** The value of a metric as a number, for charts and comparisons; null if it has none. */
export function metricValue(
  metric: Metric,
  totals: Totals,
  currency: Currency | undefined,
): number | null {
  const major = (minor: string) => Number(minor) / 10 ** (currency?.exponent ?? 0);
  if (metric === 'revenue') return major(revenueIn(totals, currency));
  if (metric === 'cost') return major(costIn(totals, currency));
  if (metric === 'return') {
    const cost = Number(costIn(totals, currency));
    return cost > 0 ? Number(revenueIn(totals, currency)) / cost : null;
  }
  return totals[metric];
}

/** By how much a value grew, as a fraction of the one before; null if that is nothing to compare with. */
export function growthOf(now: number | null, before: number | null): number | null {
  if (now === null || before === null || before <= 0) return null;
  return (now - before) / before;
}

/** `+12%`; changes below half a percent are none. */
export function formatGrowth(growth: number): string {
  const percent = Math.round(growth * 100);
  if (percent === 0) return '0%';
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent).toLocaleString()}%`;
}

/** `4.2×`, with one decimal below a hundred. */
export function formatTimes(value: number): string {
  const digits = value < 100 ? 1 : 0;
  return `${value.toLocaleString(undefined, { maximumFractionDigits: digits, minimumFractionDigits: digits })}×`;
}

/** A share as a percentage, with one decimal below ten. */
export function formatShare(part: number, whole: number): string {
  if (whole <= 0) return '–';
  const percent = (100 * part) / whole;
  return `${percent.toLocaleString(undefined, { maximumFractionDigits: percent < 10 ? 1 : 0 })}%`;
}
