import type { Terms } from '../model/facts.ts';

const UNIT = { key: 'gigabyte', name: 'gigabyte', namePlural: 'gigabytes' };

/** Terms as a request has them. */
export function toWire(terms: Terms): object {
  const isMoney = terms.benefitKind === 'cash' || terms.benefitKind === 'credit';
  const isRevenue = (terms.tiers ?? terms.milestone)?.measure === 'revenue';
  const needsCurrency = isRevenue || (isMoney && terms.calculation !== 'percentage');
  return {
    ...terms,
    ...(needsCurrency ? { currency: 'USD', currencyExponent: 2 } : {}),
    ...(terms.benefitKind === 'custom' ? { unit: UNIT } : {}),
  };
}
