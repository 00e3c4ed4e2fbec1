import { expect, test } from 'vitest';
import { formatMinor } from '../../../ui/money.tsx';
import { diffTerms } from './diff-terms.ts';

type Terms = Parameters<typeof diffTerms>[0];

const TEN: Terms = {
  benefitKind: 'cash',
  calculation: 'fixed',
  fixedAmountMinor: '1000',
  currency: 'USD',
  currencyExponent: 2,
  rateBps: null,
  durationMode: 'once',
  durationMonths: null,
  unit: null,
  quantity: null,
  validityDays: null,
  maxRewardsPerBeneficiary: null,
  roundingPolicy: 'half_up',
  refundPolicy: 'proportional',
  enabled: true,
};

test('terms that are the same have no difference', () => {
  expect(diffTerms(TEN, { ...TEN })).toEqual([]);
});

test('an amount is one change, whichever of its three fields moved', () => {
  const change = (after: Partial<Terms>) => diffTerms(TEN, { ...TEN, ...after });
  const before = formatMinor('1000', 'USD', 2);
  expect(change({ fixedAmountMinor: '1500' })).toEqual([
    { label: 'Amount', before, after: formatMinor('1500', 'USD', 2) },
  ]);
  expect(change({ currency: 'JPY', currencyExponent: 0 })).toEqual([
    { label: 'Amount', before, after: formatMinor('1000', 'JPY', 0) },
  ]);
});

test('each field is told by its name, with what was and what is', () => {
  const seats = { key: 'seat', name: 'seat', namePlural: 'seats' };
  const other: Terms = {
    benefitKind: 'custom',
    calculation: 'percentage',
    fixedAmountMinor: null,
    currency: null,
    currencyExponent: null,
    rateBps: 1500,
    durationMode: 'months',
    durationMonths: 6,
    unit: seats,
    quantity: 3,
    validityDays: 1,
    maxRewardsPerBeneficiary: 1,
    roundingPolicy: 'down',
    refundPolicy: 'none',
    enabled: false,
  };
  const rows = diffTerms(TEN, other).map(({ label, before, after }) => [label, before, after]);
  expect(rows).toEqual([
    ['Switched on', 'Yes', 'No'],
    ['Kind', 'Cash', 'Your own unit'],
    ['Calculated as', 'A fixed amount', 'A percentage'],
    ['Amount', formatMinor('1000', 'USD', 2), null],
    ['Rate', null, '15%'],
    ['Quantity', null, '3 seats'],
    ['Lasts', 'Once', '6 months'],
    ['Good for', null, '1 day'],
    ['At most, for each person', null, '1 reward'],
    ['A refund', 'Takes back the same share', 'Changes nothing'],
    ['Rounding', 'To the nearest, halves up', 'Down'],
  ]);
  expect(diffTerms(TEN, { ...TEN, durationMode: 'forever' })).toEqual([
    { label: 'Lasts', before: 'Once', after: 'Without end' },
  ]);
});
