import { expect, test } from 'vitest';
import { formatMinor } from '../../../ui/money.tsx';
import { diffTerms as diffOf } from './diff-terms.ts';

type Terms = Parameters<typeof diffOf>[0];

const WHO = { kind: 'affiliate', beneficiaryRole: 'referrer' } as const;
const diffTerms = (before: Terms, after: Terms) => diffOf(before, after, WHO);

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
  conditions: null,
  tiers: null,
  milestone: null,
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
    conditions: null,
    tiers: null,
    milestone: null,
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

test('steps, milestones and conditions are told as they read', () => {
  const NO_SIZE = { rateBps: null, fixedAmountMinor: null, quantity: null };
  const growing: Terms = {
    ...TEN,
    tiers: {
      measure: 'referrals',
      window: 'calendar_month',
      steps: [
        { ...NO_SIZE, from: '0', fixedAmountMinor: '1000' },
        { ...NO_SIZE, from: '5', fixedAmountMinor: '2000' },
      ],
    },
    conditions: [
      { field: 'properties.plan', op: 'eq', value: 'annual' },
      { field: 'purchase.isFirst', op: 'eq', value: true },
    ],
  };
  const [ten, twenty] = [formatMinor('1000', 'USD', 2), formatMinor('2000', 'USD', 2)];
  expect(diffTerms(TEN, growing)).toEqual([
    { label: 'Amount', before: ten, after: null },
    { label: 'Steps', before: null, after: `${ten} up to 4 customers, ${twenty} from the 5th` },
    { label: 'Counted by', before: null, after: 'People they brought' },
    { label: 'Counted over', before: null, after: 'This calendar month' },
    { label: 'Only if', before: null, after: 'the plan is annual and it is their first purchase' },
  ]);
  const milestone: Terms = {
    ...TEN,
    calculation: 'milestone',
    milestone: { measure: 'referrals', at: '10', repeat: false },
  };
  expect(diffTerms(TEN, milestone)).toEqual([
    { label: 'Calculated as', before: 'A fixed amount', after: 'At a milestone' },
    { label: 'Milestone', before: null, after: 'when they have brought 10 customers' },
  ]);
});
