import type { Figure } from '../../../platform/figures/tally.ts';
import { exponentOf } from '../../../platform/kit/currencies.ts';
import { formatMinor } from '../../../platform/kit/money.ts';
import type { RevenueFigure } from './figure-schema.ts';
import { DayNumbers } from './fold-daily.ts';

/** What purchases brought, by currency. */
export function presentRevenue(numbers: DayNumbers): RevenueFigure[] {
  return presentMoney(numbers.under('revenue'));
}

/** Sums by currency. */
export function presentMoney(sums: ReadonlyMap<string, bigint>): RevenueFigure[] {
  return [...sums].map(([currency, minor]) => ({
    currency,
    currencyExponent: exponentOf(currency),
    netAmountMinor: formatMinor(minor),
  }));
}

/** The results of a referrer or a link, of all time. */
export function presentResults(figures: readonly Figure[]): {
  customers: number;
  revenue: RevenueFigure[];
} {
  const numbers = new DayNumbers();
  for (const { name, value } of figures) numbers.add(name, value);
  return { customers: numbers.count('customers'), revenue: presentRevenue(numbers) };
}
