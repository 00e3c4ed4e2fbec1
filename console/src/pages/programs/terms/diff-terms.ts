import { formatRate } from '../../../ui/format-rate.ts';
import { countOf, join } from '../../../ui/words.ts';
import { formatAmount, formatQuantity, type TermsFacts as Terms } from './benefit-phrase.ts';

import { conditionPhrase, currencyOf } from './conditions/condition-phrase.ts';
import { type Measured, milestonePhrase, stepsPhrase } from './growth/growth-phrase.ts';
import { MEASURES, WINDOWS } from './growth/measure-words.ts';

export interface FieldChange {
  readonly label: string;
  /** Null if there was, or is, no value. */
  readonly before: string | null;
  readonly after: string | null;
}

export const BENEFITS: Record<Terms['benefitKind'], string> = {
  cash: 'Cash',
  credit: 'Credit',
  discount: 'Discount',
  custom: 'Your own unit',
};
export const REFUNDS: Record<Terms['refundPolicy'], string> = {
  proportional: 'Takes back the same share',
  full: 'Any refund takes back all',
  none: 'Changes nothing',
};
export const ROUNDINGS: Record<Terms['roundingPolicy'], string> = {
  half_up: 'To the nearest, halves up',
  half_even: 'To the nearest, halves to even',
  down: 'Down',
  up: 'Up',
};

const CALCULATIONS: Record<Terms['calculation'], string> = {
  fixed: 'A fixed amount',
  percentage: 'A percentage',
  milestone: 'At a milestone',
};

/** The text of each field, in the order of display. */
const FIELDS: readonly (readonly [string, (terms: Terms, who: Measured) => string | null])[] = [
  ['Switched on', ({ enabled }) => (enabled ? 'Yes' : 'No')],
  ['Kind', ({ benefitKind }) => BENEFITS[benefitKind]],
  ['Calculated as', ({ calculation }) => CALCULATIONS[calculation]],
  [
    'Amount',
    (terms) => (terms.fixedAmountMinor === null || terms.tiers ? null : formatAmount(terms)),
  ],
  ['Rate', ({ rateBps, tiers }) => (rateBps === null || tiers ? null : formatRate(rateBps))],
  ['Quantity', (terms) => (terms.quantity === null || terms.tiers ? null : formatQuantity(terms))],
  ['Steps', (terms, who) => terms.tiers && stepsPhrase(who, terms, terms.tiers)],
  ['Counted by', ({ tiers }) => tiers && MEASURES[tiers.measure]],
  ['Counted over', ({ tiers }) => tiers && WINDOWS[tiers.window]],
  ['Milestone', (terms, who) => terms.milestone && milestonePhrase(who, terms, terms.milestone)],
  ['Only if', conditions],
  ['Lasts', duration],
  ['Good for', ({ validityDays }) => (validityDays === null ? null : countOf(validityDays, 'day'))],
  [
    'At most, for each person',
    ({ maxRewardsPerBeneficiary: cap }) => (cap === null ? null : countOf(cap, 'reward')),
  ],
  ['A refund', ({ refundPolicy }) => REFUNDS[refundPolicy]],
  ['Rounding', ({ roundingPolicy }) => ROUNDINGS[roundingPolicy]],
];

function conditions({ conditions: all }: Terms): string | null {
  if (!all) return null;
  const currency = currencyOf(all);
  return join(all.map((one) => conditionPhrase(one, currency)));
}

function duration({ durationMode, durationMonths }: Terms): string {
  if (durationMode === 'once') return 'Once';
  return durationMode === 'forever' ? 'Without end' : countOf(durationMonths ?? 1, 'month');
}

/** The changes of a version against the previous one, field by field. */
export function diffTerms(before: Terms, after: Terms, who: Measured): readonly FieldChange[] {
  return FIELDS.map(([label, read]) => ({
    label,
    before: read(before, who),
    after: read(after, who),
  })).filter((change) => change.before !== change.after);
}
