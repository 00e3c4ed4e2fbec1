/** The periods of the chart, in days. */
export const PERIODS = [30, 90, 365] as const;
type Period = (typeof PERIODS)[number];

export const METRICS = ['clicks', 'referrals', 'sales', 'earned'] as const;
export type Metric = (typeof METRICS)[number];

/** What a partner chose to see of its results. */
export interface Choice {
  readonly days: Period;
  readonly metric: Metric;
  /** Null for the one with the most days. */
  readonly currency: string | null;
}

/** Reads the choice from a query. Anything else than a known value is the default: the address may be typed. */
export function readChoice(query: Readonly<Record<string, unknown>>): Choice {
  const { days, metric, currency } = query;
  return {
    days: PERIODS.find((one) => String(one) === days) ?? 30,
    metric: METRICS.find((one) => one === metric) ?? 'referrals',
    currency: typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? currency : null,
  };
}

export function writeChoice({ days, metric, currency }: Choice): string {
  const parameters = new URLSearchParams({ days: String(days), metric });
  if (currency !== null) parameters.set('currency', currency);
  return parameters.toString();
}
