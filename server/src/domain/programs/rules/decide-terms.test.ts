import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import type { Issue } from '../../../platform/kit/errors.ts';
import { addMs, DAY_MS, toInstant } from '../../../platform/kit/instant.ts';
import { TermsIn } from '../schema.ts';
import {
  BENEFIT_KINDS,
  CALCULATIONS,
  DURATION_MODES,
  REFUND_POLICIES,
  ROUNDING_POLICIES,
} from './benefit-words.ts';
import { CONDITION_OPS } from './conditions.ts';
import { decideTerms, type RuleOfTerms, type Terms } from './decide-terms.ts';
import { MEASURES, WINDOWS } from './measures.ts';

const NOW = toInstant(Date.UTC(2026, 10, 15, 9, 30));
const UNIT = { key: 'gb', name: 'gigabyte', namePlural: 'gigabytes' };

function decide(
  input: TermsIn,
  eventType = 'purchase',
  rule: Partial<RuleOfTerms> = {},
): { terms: Terms; paths: string[]; issues: Issue[] } {
  const issues: Issue[] = [];
  const terms = decideTerms(
    input,
    { eventType, beneficiaryRole: 'referrer', purpose: 'bonus', ...rule },
    NOW,
    issues,
  );
  return { terms, paths: issues.map(({ path }) => path), issues };
}

const fixed = (extra: Partial<TermsIn> = {}): TermsIn => ({
  benefitKind: 'cash',
  calculation: 'fixed',
  fixedAmountMinor: '1000',
  currency: 'USD',
  currencyExponent: 2,
  ...extra,
});
const percentage = (extra: Partial<TermsIn> = {}): TermsIn => ({
  benefitKind: 'cash',
  calculation: 'percentage',
  rateBps: 2_000,
  ...extra,
});
const custom = (extra: Partial<TermsIn> = {}): TermsIn => ({
  benefitKind: 'custom',
  unit: UNIT,
  quantity: 5,
  ...extra,
});

test('fixed money gets its defaults, and its currency in upper case (D-TERM-2…5)', () => {
  const { terms, paths } = decide(fixed({ currency: 'usd' }));
  expect(paths).toEqual([]);
  expect(terms).toEqual({
    benefitKind: 'cash',
    calculation: 'fixed',
    fixedAmountMinor: 1000n,
    currency: 'USD',
    currencyExponent: 2,
    rateBps: null,
    durationMode: 'once',
    durationMonths: null,
    quantity: null,
    validityDays: null,
    conditions: null,
    tiers: null,
    milestone: null,
    maxRewardsPerBeneficiary: null,
    roundingPolicy: 'half_up',
    refundPolicy: 'proportional',
    enabled: true,
    effectiveAt: NOW,
    changeNote: null,
  });
});

test('a wrong exponent is refused, and so is what has no minor unit (D-GEN-4)', () => {
  expect(decide(fixed({ currency: 'JPY' })).paths).toEqual(['terms.currencyExponent']);
  expect(decide(fixed({ currency: 'JPY', currencyExponent: 0 })).paths).toEqual([]);
  expect(decide(fixed({ currency: 'KWD', currencyExponent: 3 })).paths).toEqual([]);
  expect(decide(fixed({ currency: 'XAU' })).paths).toEqual(['terms.currency']);
  expect(decide(fixed({ currencyExponent: null })).paths).toEqual(['terms.currencyExponent']);
});

test('a fixed amount is above zero and names its currency', () => {
  expect(decide(fixed({ fixedAmountMinor: '0' })).paths).toEqual(['terms.fixedAmountMinor']);
  expect(decide({ benefitKind: 'credit' }).paths).toEqual([
    'terms.fixedAmountMinor',
    'terms.currency',
    'terms.currencyExponent',
  ]);
  expect(decide(fixed({ rateBps: 10 })).paths).toEqual(['terms.rateBps']);
});

test('a percentage of money is for purchases and takes their currency', () => {
  expect(decide(percentage()).paths).toEqual([]);
  expect(decide(percentage({ benefitKind: 'credit' })).paths).toEqual([]);
  expect(decide(percentage(), 'signup').paths).toEqual(['terms.calculation']);
  expect(decide(percentage(), 'custom_x').paths).toEqual(['terms.calculation']);
  expect(decide(percentage({ currency: 'USD', currencyExponent: 2 })).paths).toEqual([
    'terms.currency',
    'terms.currencyExponent',
  ]);
  expect(decide(percentage({ rateBps: null })).paths).toEqual(['terms.rateBps']);
});

test('a discount is a percentage, for any event', () => {
  for (const eventType of ['signup', 'purchase', 'custom_x']) {
    const { terms, paths } = decide({ benefitKind: 'discount', rateBps: 1_500 }, eventType);
    expect([paths, terms.calculation]).toEqual([[], 'percentage']);
  }
  expect(decide(fixed({ benefitKind: 'discount' })).paths).toEqual(['terms.calculation']);
});

test('custom is a quantity of one unit, named or known', () => {
  expect(decide(custom()).paths).toEqual([]);
  expect(decide(custom({ unit: null, customUnitId: 'unit_1', validityDays: 30 })).paths).toEqual(
    [],
  );
  expect(decide(custom({ unit: null })).paths).toEqual(['terms.unit']);
  expect(decide(custom({ customUnitId: 'unit_1' })).paths).toEqual(['terms.customUnitId']);
  expect(decide(custom({ quantity: null })).paths).toEqual(['terms.quantity']);
  expect(decide(custom({ calculation: 'percentage' })).paths).toEqual(['terms.calculation']);
  expect(decide(fixed({ unit: UNIT, quantity: 1, validityDays: 9 })).paths).toEqual([
    'terms.unit',
    'terms.quantity',
    'terms.validityDays',
  ]);
});

test('a signup earns once, but a discount given for it may live longer (D-TERM-3)', () => {
  expect(decide(fixed({ durationMode: 'forever' }), 'signup').paths).toEqual([
    'terms.durationMode',
  ]);
  expect(decide(fixed({ durationMode: 'forever' })).paths).toEqual([]);
  expect(decide(fixed({ durationMode: 'forever' }), 'custom_x').paths).toEqual([]);
  const discount = { benefitKind: 'discount', rateBps: 1, durationMode: 'months' } as const;
  expect(decide({ ...discount, durationMonths: 3 }, 'signup').paths).toEqual([]);
  expect(decide(discount, 'signup').paths).toEqual(['terms.durationMonths']);
  expect(decide(fixed({ durationMonths: 3 })).paths).toEqual(['terms.durationMonths']);
});

test.each([
  [
    percentage(),
    'signup',
    'calculation can be percentage only for purchases; other events have no amount',
  ],
  [
    fixed({ benefitKind: 'discount' }),
    'purchase',
    'calculation must be percentage or milestone for a discount benefit',
  ],
  [
    custom({ calculation: 'percentage' }),
    'purchase',
    'calculation must be fixed or milestone for a custom benefit',
  ],
  [percentage({ rateBps: null }), 'purchase', 'rateBps is required'],
  [fixed({ rateBps: 10 }), 'purchase', 'rateBps is not allowed for a fixed cash benefit'],
  [custom({ unit: null }), 'purchase', 'unit is required'],
  [custom({ customUnitId: 'unit_1' }), 'purchase', 'customUnitId cannot be combined with unit'],
  [
    fixed({ fixedAmountMinor: '0' }),
    'purchase',
    'fixedAmountMinor must be a whole number of minor units above 0',
  ],
  [
    fixed({ currency: 'XAU' }),
    'purchase',
    'currency must be an ISO 4217 currency that has a minor unit',
  ],
  [fixed({ currency: 'jpy' }), 'purchase', 'currencyExponent must be 0 for JPY'],
  [
    fixed({ durationMode: 'forever' }),
    'signup',
    'durationMode must be once, because a person signs up only once',
  ],
  [fixed({ durationMode: 'months' }), 'purchase', 'durationMonths is required'],
  [
    fixed({ durationMonths: 3 }),
    'purchase',
    'durationMonths is allowed only with durationMode months',
  ],
])('what is wrong is said in words: %j for %s', (input, eventType, words) => {
  const said = decide(input, eventType).issues.map(({ path, issue }) => `${path} ${issue}`);
  expect(said).toEqual([`terms.${words}`]);
});

test('terms begin now or within a year, to the millisecond (D-TERM-5)', () => {
  const yearOn = toInstant(Date.UTC(2027, 10, 15, 9, 30));
  const pathsAt = (effectiveAt: string) => decide(fixed({ effectiveAt })).paths;
  expect(pathsAt(NOW)).toEqual([]);
  expect(pathsAt(addMs(NOW, -1))).toEqual(['terms.effectiveAt']);
  expect(pathsAt(yearOn)).toEqual([]);
  expect(pathsAt(addMs(yearOn, 1))).toEqual(['terms.effectiveAt']);
  const { terms } = decide(fixed({ effectiveAt: '2026-11-20T12:00:00+02:00' }));
  expect(terms.effectiveAt).toBe('2026-11-20T10:00:00.000Z');
});

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 2 });
const anyTerms = fc.record({
  benefitKind: fc.constantFrom(...BENEFIT_KINDS),
  calculation: maybe(fc.constantFrom(...CALCULATIONS)),
  fixedAmountMinor: maybe(fc.bigInt(0n, 10n ** 15n - 1n).map(String)),
  currency: maybe(fc.constantFrom('usd', 'JPY', 'KWD', 'XAU', 'ZZZ')),
  currencyExponent: maybe(fc.integer({ min: 0, max: 4 })),
  rateBps: maybe(fc.integer({ min: 1, max: 10_000 })),
  durationMode: maybe(fc.constantFrom(...DURATION_MODES)),
  durationMonths: maybe(fc.integer({ min: 1, max: 120 })),
  customUnitId: maybe(fc.constant('unit_1')),
  unit: maybe(fc.constant(UNIT)),
  quantity: maybe(fc.integer({ min: 1, max: 1_000_000 })),
  validityDays: maybe(fc.integer({ min: 1, max: 3_650 })),
  maxRewardsPerBeneficiary: maybe(fc.integer({ min: 1, max: 1_000_000_000 })),
  roundingPolicy: maybe(fc.constantFrom(...ROUNDING_POLICIES)),
  refundPolicy: maybe(fc.constantFrom(...REFUND_POLICIES)),
  enabled: maybe(fc.boolean()),
  conditions: maybe(
    fc.array(
      fc.record({
        field: fc.constantFrom('purchase.amountMinor', 'purchase.isFirst', 'properties.plan', 'x'),
        op: fc.constantFrom(...CONDITION_OPS),
        value: fc.oneof(fc.constantFrom('10', 5, true), fc.constant(['10', 'annual'])),
      }),
      { maxLength: 3 },
    ),
  ),
  tiers: maybe(
    fc.record({
      measure: fc.constantFrom(...MEASURES),
      window: maybe(fc.constantFrom(...WINDOWS)),
      steps: fc.array(
        fc.record({
          from: fc.constantFrom('0', '5', '10'),
          rateBps: maybe(fc.constant(500)),
          fixedAmountMinor: maybe(fc.constant('700')),
          quantity: maybe(fc.constant(2)),
        }),
        { minLength: 2, maxLength: 3 },
      ),
    }),
  ),
  milestone: maybe(
    fc.record({
      measure: fc.constantFrom(...MEASURES),
      at: fc.constantFrom('1', '10'),
      repeat: maybe(fc.boolean()),
    }),
  ),
  effectiveAt: maybe(fc.integer({ min: -2, max: 400 }).map((days) => addMs(NOW, days * DAY_MS))),
  changeNote: maybe(fc.string({ maxLength: 500 })),
});
const TERMS_FIELDS = Object.keys(TermsIn.properties) as (keyof TermsIn)[];

/** Right ones with up to three fields changed: pure chance hardly ever makes one that passes. */
const almostRight = fc
  .tuple(
    fc.constantFrom(fixed(), percentage(), custom(), percentage({ benefitKind: 'discount' })),
    anyTerms,
    fc.array(fc.constantFrom(...TERMS_FIELDS), { maxLength: 3 }),
  )
  .map(([right, any, fields]) => ({
    ...right,
    ...Object.fromEntries(fields.map((field) => [field, any[field]])),
  }));
const eventTypes = fc.constantFrom('signup', 'purchase', 'custom_x');
const fits = Compile(TermsIn);

test('every request of the right form is decided, and what passes is whole and consistent', () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof(anyTerms, almostRight), eventTypes, (input, eventType) => {
      assert.ok(fits.Check(input));
      const { terms, issues } = decide(input, eventType);
      for (const { path } of issues) assert.match(path, /^terms\.[a-zA-Z]+(\.\w+)*$/);
      if (issues.length > 0) return;
      accepted += 1;
      expectConsistent(terms, input, eventType);
    }),
    { numRuns: 5_000 },
  );
  expect(accepted).toBeGreaterThan(500);
});

function expectConsistent(terms: Terms, input: TermsIn, eventType: string): void {
  const isMoney = terms.benefitKind === 'cash' || terms.benefitKind === 'credit';
  const isFixed = terms.calculation !== 'percentage' && terms.benefitKind !== 'discount';
  const isRevenue = (terms.tiers ?? terms.milestone)?.measure === 'revenue';
  assert.equal(terms.fixedAmountMinor !== null, isMoney && isFixed);
  assert.equal(terms.currency !== null, (isMoney && isFixed) || isRevenue);
  assert.equal(terms.currencyExponent !== null, (isMoney && isFixed) || isRevenue);
  assert.equal(terms.rateBps !== null, !isFixed);
  assert.equal(terms.milestone !== null, terms.calculation === 'milestone');
  assert.equal(terms.tiers !== null && terms.milestone !== null, false);
  for (const step of terms.tiers?.steps ?? []) {
    assert.equal(step.rateBps !== null, !isFixed);
    assert.equal(step.fixedAmountMinor !== null, isMoney && isFixed);
    assert.equal(step.quantity !== null, terms.benefitKind === 'custom');
  }
  assert.equal(terms.quantity !== null, terms.benefitKind === 'custom');
  assert.equal(
    [input.unit, input.customUnitId].filter(Boolean).length,
    terms.benefitKind === 'custom' ? 1 : 0,
  );
  assert.equal(terms.durationMonths !== null, terms.durationMode === 'months');
  if (isMoney && !isFixed) assert.equal(eventType, 'purchase');
  if (terms.benefitKind === 'discount') assert.equal(isFixed, false);
  if (terms.benefitKind === 'custom') assert.equal(isFixed, true);
  assert.equal(terms.effectiveAt >= NOW, true);
}
