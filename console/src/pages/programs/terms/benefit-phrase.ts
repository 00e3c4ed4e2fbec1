import { formatRate } from '../../../ui/format-rate.ts';
import { formatMinor } from '../../../ui/money.tsx';
import { countOf } from '../../../ui/words.ts';
import type { TermsVersion } from '../queries.ts';

/** The fields that describe terms; a form has them before anything is published. */
export type TermsFacts = Pick<
  TermsVersion,
  | 'benefitKind'
  | 'calculation'
  | 'fixedAmountMinor'
  | 'currency'
  | 'currencyExponent'
  | 'rateBps'
  | 'durationMode'
  | 'durationMonths'
  | 'unit'
  | 'quantity'
  | 'validityDays'
  | 'maxRewardsPerBeneficiary'
  | 'conditions'
  | 'tiers'
  | 'milestone'
  | 'roundingPolicy'
  | 'refundPolicy'
  | 'enabled'
>;

const CREDITED: Record<'cash' | 'credit', string> = {
  cash: 'in cash',
  credit: 'as account credit',
};

export function formatAmount(terms: TermsFacts): string {
  const { fixedAmountMinor, currency, currencyExponent } = terms;
  return fixedAmountMinor === null || currency === null || currencyExponent === null
    ? 'an amount'
    : formatMinor(fixedAmountMinor, currency, currencyExponent);
}

export function formatQuantity({ quantity, unit }: Pick<TermsFacts, 'quantity' | 'unit'>): string {
  if (!unit || quantity === null) return 'something of yours';
  return `${quantity.toLocaleString()} ${quantity === 1 ? unit.name : unit.namePlural}`;
}

/** A benefit that does not depend on a price: `$10.00 in cash`, `2 seats`. Of steps, without a size. */
export function benefitPhrase(terms: TermsFacts): string {
  const { benefitKind, tiers, unit } = terms;
  if (benefitKind === 'custom') return tiers && unit ? unit.namePlural : formatQuantity(terms);
  if (benefitKind === 'discount') {
    const rate = tiers ? 'a discount on' : `${ratePhrase(terms)} off`;
    return `${rate} ${discountLife(terms)}`;
  }
  return `${tiers ? 'an amount' : formatAmount(terms)} ${CREDITED[benefitKind]}`;
}

/** A share of a price, with what it is a share of: `20% of their first purchase, in cash`. */
export function sharePhrase(terms: TermsFacts, of: string): string {
  const how = terms.benefitKind === 'credit' ? CREDITED.credit : CREDITED.cash;
  return `${ratePhrase(terms)} of ${of}, ${how}`;
}

const ratePhrase = ({ rateBps, tiers }: TermsFacts) =>
  rateBps === null || tiers ? 'a share' : formatRate(rateBps);

/** How long a discount lasts. */
function discountLife({ durationMode, durationMonths }: TermsFacts): string {
  if (durationMode === 'once') return 'one purchase';
  if (durationMode === 'forever') return 'everything from then on';
  return `everything for ${countOf(durationMonths ?? 1, 'month')}`;
}
