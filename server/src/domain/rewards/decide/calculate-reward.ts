import type { Terms } from '../../programs/rules/decide-terms.ts';
import { divideRounded } from './divide-rounded.ts';

/** The part of a purchase that Rewards are computed from: paid, after discounts, without tax. */
export interface RewardBase {
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly currencyExponent: number;
}

export interface MoneyBenefit {
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly currencyExponent: number;
}

/** How an amount was computed, stored so that it can be shown and recomputed. */
export interface Arithmetic {
  readonly base: string | null;
  readonly rateBps: number | null;
  readonly rounding: string | null;
  readonly result: string;
}

export type Calculated =
  | { readonly money: MoneyBenefit | null; readonly arithmetic: Arithmetic }
  | { readonly skipped: 'zero_amount' | 'amount_missing' };

const BPS = 10_000n;

/** What terms give for an Event. `base` is null for an Event without an amount. */
export function calculateReward(terms: Terms, base: RewardBase | null): Calculated {
  // A free purchase gives nothing, whatever the kind of benefit.
  if (base !== null && base.amountMinor === 0n) return { skipped: 'zero_amount' };
  if (terms.benefitKind === 'discount') {
    return { money: null, arithmetic: plain(terms, `${terms.rateBps} bps`) };
  }
  if (terms.benefitKind === 'custom') {
    return { money: null, arithmetic: plain(terms, String(terms.quantity)) };
  }
  if (terms.calculation === 'fixed') {
    const amountMinor = terms.fixedAmountMinor as bigint;
    const money = {
      amountMinor,
      currency: terms.currency as string,
      currencyExponent: terms.currencyExponent as number,
    };
    return { money, arithmetic: plain(terms, String(amountMinor)) };
  }
  if (base === null) return { skipped: 'amount_missing' };
  const amountMinor = divideRounded(
    base.amountMinor * BigInt(terms.rateBps as number),
    BPS,
    terms.roundingPolicy,
  );
  if (amountMinor === 0n) return { skipped: 'zero_amount' };
  return {
    money: { amountMinor, currency: base.currency, currencyExponent: base.currencyExponent },
    arithmetic: {
      base: String(base.amountMinor),
      rateBps: terms.rateBps,
      rounding: terms.roundingPolicy,
      result: String(amountMinor),
    },
  };
}

function plain(terms: Terms, result: string): Arithmetic {
  return { base: null, rateBps: terms.rateBps, rounding: null, result };
}
