import type { Terms } from '../model/facts.ts';

const UNIT = { key: 'gigabyte', name: 'gigabyte', namePlural: 'gigabytes' };

/** Terms as a request has them. */
export function toWire(terms: Terms): object {
  const isMoney = terms.benefitKind === 'cash' || terms.benefitKind === 'credit';
  return {
    ...terms,
    ...(isMoney && terms.calculation === 'fixed' ? { currency: 'USD', currencyExponent: 2 } : {}),
    ...(terms.benefitKind === 'custom' ? { unit: UNIT, quantity: 5 } : {}),
  };
}
