// What terms say of one event.

import { addMonths, divide } from './arithmetic.ts';
import type { Size, Terms, Tiers } from './facts.ts';
import type { Bought } from './purchases.ts';
import type { Made } from './rewards.ts';

/** A signup has no amount and no currency, and so meets no condition. */
export function holds({ conditions = [] }: Terms, purchase: Bought | null): boolean {
  return conditions.every(({ field, op, value }) => {
    if (!purchase) return false;
    if (op === 'gte') return purchase.amountMinor >= BigInt(String(value));
    if (op === 'lte') return purchase.amountMinor <= BigInt(String(value));
    const is = field === 'purchase.currency' ? purchase.currency : purchase.amountMinor.toString();
    const isNamed = [value].flat().includes(is);
    return op === 'eq' || op === 'in' ? isNamed : !isNamed;
  });
}

/** Whether a rule still earns for a referral, for which it has earned these. */
export function isInDuration(terms: Terms, earned: readonly Made[], at: string): boolean {
  const [first] = earned.map(({ occurredAt }) => occurredAt).sort();
  if (first === undefined) return true;
  // A discount is earned once; its duration is its own.
  if (terms.durationMode === 'once' || terms.benefitKind === 'discount') return false;
  if (terms.durationMode === 'forever') return true;
  return at < addMonths(first, terms.durationMonths ?? 0);
}

/** The step in which a value of the measure is. */
export function stepAt({ steps }: Tiers, value: bigint): Size {
  const reached = steps.filter(({ from }) => BigInt(from) <= value);
  return reached.at(-1) as Size;
}

export function amountOf(terms: Terms, size: Size, base: bigint): bigint | null {
  if (terms.benefitKind === 'custom' || terms.benefitKind === 'discount') return null;
  if (terms.calculation !== 'percentage') return BigInt(size.fixedAmountMinor ?? '0');
  return divide(base * BigInt(size.rateBps ?? 0), 10_000n, terms.roundingPolicy);
}

/** A percentage is in the currency of its purchase, and everything else of a world in dollars. */
export const currencyOf = ({ calculation }: Terms, purchase: Bought | null): string =>
  (calculation === 'percentage' && purchase?.currency) || 'USD';

export function unitsOf({ benefitKind }: Terms, size: Size): number | null {
  if (benefitKind === 'discount') return size.rateBps ?? null;
  return benefitKind === 'custom' ? (size.quantity ?? null) : null;
}
