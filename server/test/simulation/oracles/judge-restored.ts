import type { Credited } from '../outside/stripe-books.ts';
import type { Owed } from './check-credits.ts';

interface Given {
  readonly credits: readonly Credited[];
  /** Those that were made before the store was lost. */
  readonly forgotten: readonly Credited[];
}

/**
 * What customers have after a store was lost. Some credits are of rewards that came again under other ids, so only the sum
 * of each customer says something: what they are owed, or more if they had more by the time of the loss.
 */
export function judgeRestored({ credits, forgotten }: Given, owed: readonly Owed[]): string[] {
  const customers = new Set([...credits, ...owed].map(({ customer }) => customer));
  return [...customers].flatMap((customer) => {
    const got = sumFor(customer, credits);
    const had = sumFor(customer, forgotten);
    const own = owed.filter((one) => one.customer === customer);
    const isErased = own.some((one) => one.isErased);
    const counted = own.filter(({ isWaiting, isGranted }) => isGranted || !isWaiting);
    const must = sum(counted.map(({ owedMinor }) => owedMinor));
    // They may have been credited before they were erased.
    const most = isErased ? sum(own.map(({ amountMinor }) => amountMinor)) : must;
    if (got < (isErased ? 0n : must)) return [`${customer} got ${got}, and must have got ${must}`];
    if (got <= most || got <= had) return [];
    return [`${customer} got ${got}, had ${had} when the store was lost, and is owed ${most}`];
  });
}

const sum = (minors: readonly bigint[]): bigint => minors.reduce((a, b) => a + b, 0n);

const sumFor = (customer: string, credits: readonly Credited[]): bigint =>
  sum(credits.filter((one) => one.customer === customer).map(({ amountMinor }) => amountMinor));
