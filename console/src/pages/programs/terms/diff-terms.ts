import { formatRate } from '../../../ui/format-rate.ts';
import { countOf } from '../../../ui/words.ts';
import { formatAmount, formatQuantity, type TermsFacts as Terms } from './benefit-phrase.ts';

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

/** The text of each field, in the order of display. */
const FIELDS: readonly (readonly [string, (terms: Terms) => string | null])[] = [
  ['Switched on', ({ enabled }) => (enabled ? 'Yes' : 'No')],
  ['Kind', ({ benefitKind }) => BENEFITS[benefitKind]],
  [
    'Calculated as',
    ({ calculation }) => (calculation === 'fixed' ? 'A fixed amount' : 'A percentage'),
  ],
  ['Amount', (terms) => (terms.fixedAmountMinor === null ? null : formatAmount(terms))],
  ['Rate', ({ rateBps }) => (rateBps === null ? null : formatRate(rateBps))],
  ['Quantity', (terms) => (terms.quantity === null ? null : formatQuantity(terms))],
  ['Lasts', duration],
  ['Good for', ({ validityDays }) => (validityDays === null ? null : countOf(validityDays, 'day'))],
  [
    'At most, for each person',
    ({ maxRewardsPerBeneficiary: cap }) => (cap === null ? null : countOf(cap, 'reward')),
  ],
  ['A refund', ({ refundPolicy }) => REFUNDS[refundPolicy]],
  ['Rounding', ({ roundingPolicy }) => ROUNDINGS[roundingPolicy]],
];

function duration({ durationMode, durationMonths }: Terms): string {
  if (durationMode === 'once') return 'Once';
  return durationMode === 'forever' ? 'Without end' : countOf(durationMonths ?? 1, 'month');
}

/** The changes of a version against the previous one, field by field. */
export function diffTerms(before: Terms, after: Terms): readonly FieldChange[] {
  return FIELDS.map(([label, read]) => ({
    label,
    before: read(before),
    after: read(after),
  })).filter((change) => change.before !== change.after);
}
