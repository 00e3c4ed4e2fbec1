import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  BENEFIT_KINDS,
  DURATION_MODES,
  REFUND_POLICIES,
} from '../../../domain/programs/rules/benefit-words.ts';
import { readerFor } from '../reader.ts';
import { LANGUAGE_CODES } from '../texts/languages.ts';
import { describeTerms, type ProgramTerms, type RuleInForce } from './terms-words.ts';

const english = readerFor('en', 'en-US');
const none = {
  benefitKind: 'cash',
  calculation: 'fixed',
  fixedAmountMinor: 1_000n,
  currency: 'USD',
  rateBps: null,
  durationMode: 'once',
  durationMonths: null,
  quantity: null,
  unit: null,
  validityDays: null,
  maxRewardsPerBeneficiary: null,
  refundPolicy: 'proportional',
  conditions: null,
  tiers: null,
  milestone: null,
} as const;
type Terms = RuleInForce['terms'];
const aRule = (terms: Partial<Terms>, change: Partial<RuleInForce> = {}): RuleInForce => ({
  eventType: 'purchase',
  beneficiaryRole: 'referrer',
  ...change,
  terms: { ...none, ...terms },
});
const share = {
  calculation: 'percentage',
  fixedAmountMinor: null,
  currency: null,
  rateBps: 2_000,
} as const;
const units = {
  benefitKind: 'custom',
  fixedAmountMinor: null,
  currency: null,
  quantity: 2,
  unit: { id: 'unt', key: 'seat', name: 'seat', namePlural: 'seats' },
} as const;
const of = (rules: readonly RuleInForce[], change: Partial<ProgramTerms> = {}) =>
  describeTerms({ rules, windowDays: null, holdDays: 0, minimums: {}, ...change }, english);
const said = (rule: RuleInForce) => {
  const [words] = of([rule]).rules;
  return [words?.main, ...(words?.conditions ?? [])].join(' ');
};
const SHARE_REFUND = 'If a purchase is refunded, the same share of it is taken back.';

test('a commission says its share, how long it lasts and what a refund does', () => {
  expect(said(aRule({ ...share, durationMode: 'forever' }))).toBe(
    `You earn 20% of every purchase of the people you refer. There is no time limit. ${SHARE_REFUND}`,
  );
  expect(said(aRule({ ...share, durationMode: 'months', durationMonths: 12 }))).toBe(
    `You earn 20% of every purchase of the people you refer. It counts for 12 months from the first time. ${SHARE_REFUND}`,
  );
  expect(said(aRule({ ...share, benefitKind: 'credit' }))).toBe(
    `You earn 20% of the first purchase of everybody you refer. It is given as account credit. ${SHARE_REFUND}`,
  );
});

test('a fixed amount says what it is for', () => {
  expect(said(aRule({}))).toBe(
    `You earn $10.00 for the first purchase of everybody you refer. ${SHARE_REFUND}`,
  );
  expect(said(aRule({ durationMode: 'forever' }))).toBe(
    `You earn $10.00 for every purchase of the people you refer. There is no time limit. ${SHARE_REFUND}`,
  );
  expect(said(aRule({ benefitKind: 'credit' }, { eventType: 'signup' }))).toBe(
    'You earn $10.00 as account credit for everybody who signs up through you.',
  );
  expect(said(aRule({}, { eventType: 'custom_trial_started' }))).toBe(
    'You earn $10.00 the first time somebody you referred does this: trial started.',
  );
  expect(said(aRule({ durationMode: 'forever' }, { eventType: 'custom_upload' }))).toBe(
    'You earn $10.00 every time somebody you referred does this: upload. There is no time limit.',
  );
});

test('units and discounts say how long they last', () => {
  expect(said(aRule({ ...units, validityDays: 30 }))).toBe(
    'You earn 2 seats for the first purchase of everybody you refer. It is valid for 30 days. If a purchase is refunded in full, it is taken back.',
  );
  expect(said(aRule({ ...units, quantity: 1 }, { eventType: 'signup' }))).toBe(
    'You earn 1 seat for everybody who signs up through you.',
  );
  const discount = { ...share, benefitKind: 'discount' } as const;
  const life = (terms: Partial<Terms>) =>
    said(aRule({ ...discount, ...terms }, { eventType: 'signup', beneficiaryRole: 'referee' }));
  const get = 'The people you refer get a discount of 20% when they sign up.';
  expect(life({})).toBe(`${get} The discount is for one purchase.`);
  expect(life({ durationMode: 'months', durationMonths: 3 })).toBe(
    `${get} The discount lasts 3 months.`,
  );
  expect(life({ durationMode: 'forever' })).toBe(`${get} The discount has no time limit.`);
});

const size = { rateBps: null, fixedAmountMinor: null, quantity: null };
const growing = {
  ...share,
  durationMode: 'forever',
  tiers: {
    measure: 'referrals',
    window: 'all_time',
    steps: [
      { ...size, from: 0n, rateBps: 2_000 },
      { ...size, from: 5n, rateBps: 2_500 },
      { ...size, from: 1_000n, rateBps: 3_000 },
    ],
  },
} as const;

test('a size that grows is told with all its steps, never as the first alone', () => {
  const forever = `There is no time limit. ${SHARE_REFUND}`;
  expect(said(aRule(growing))).toBe(
    `You earn 20%–30% of every purchase of the people you refer. It depends on the number of your referrals: 20% at first, 25% from 5 on, and 30% from 1,000 on. ${forever}`,
  );
  const steps = [
    { ...size, from: 0n, fixedAmountMinor: 1_000n },
    { ...size, from: 50_000n, fixedAmountMinor: 500n },
  ];
  const revenue = { measure: 'revenue', window: 'calendar_month', steps } as const;
  expect(said(aRule({ tiers: revenue, benefitKind: 'credit' }, { eventType: 'signup' }))).toBe(
    'You earn $5.00–$10.00 as account credit for everybody who signs up through you. It depends on the revenue from the people you refer: $10.00 at first and $5.00 from $500.00 on. Every calendar month is counted anew.',
  );
  const seats = {
    measure: 'purchases',
    window: 'rolling_30_days',
    steps: [
      { ...size, from: 0n, quantity: 1 },
      { ...size, from: 3n, quantity: 4 },
    ],
  } as const;
  expect(
    said(aRule({ ...units, quantity: 1, tiers: seats }, { beneficiaryRole: 'referee' })),
  ).toContain(
    'The people you refer get 1 seat–4 seats for their first purchase. It depends on the number of their purchases: 1 seat at first and 4 seats from 3 on. The last 30 days count.',
  );
});

test('from right to left, the two ends of a range keep their order', () => {
  const [words] = describeTerms(
    { rules: [aRule(growing)], windowDays: null, holdDays: 0, minimums: {} },
    readerFor('ar', undefined),
  ).rules;
  expect(words?.main).toMatch(
    /\u2068[^\u2069]*20[^\u2069]*\u2069–\u2068[^\u2069]*30[^\u2069]*\u2069/,
  );
});

test('a milestone is told with what reaches it, whether it repeats and how it is lost', () => {
  const at = (milestone: Terms['milestone'], change: Partial<RuleInForce> = {}) =>
    said(aRule({ calculation: 'milestone', milestone }, change));
  expect(at({ measure: 'referrals', at: 10n, repeat: false })).toBe(
    'You earn $10.00 when the number of your referrals reaches 10.',
  );
  expect(at({ measure: 'revenue', at: 100_000n, repeat: true })).toBe(
    'You earn $10.00 when the revenue from the people you refer reaches $1,000.00. It is given again each time as much is added: at $2,000.00, at $3,000.00, and so on. It is cancelled if refunds bring it below that before it is granted.',
  );
  expect(
    at({ measure: 'purchases', at: 3n, repeat: false }, { beneficiaryRole: 'referee' }),
  ).toContain('The people you refer get $10.00 when the number of their purchases reaches 3.');
});

test('conditions are told, in words where there are some', () => {
  const told = (...conditions: NonNullable<Terms['conditions']>) =>
    of([aRule({ refundPolicy: 'none', conditions })]).rules[0]?.conditions.slice(0, -1);
  expect(
    told(
      { field: 'purchase.isFirst', op: 'eq', value: true },
      { field: 'purchase.amountMinor', op: 'gte', value: '5000' },
      { field: 'purchase.currency', op: 'eq', value: 'EUR' },
      { field: 'purchase.billingReason', op: 'ne', value: 'subscription_update' },
      { field: 'properties.plan_name', op: 'in', value: ['annual', 'team'] },
      { field: 'participant.kind', op: 'ne', value: 'group' },
    ),
  ).toEqual([
    'Only a person’s first purchase counts.',
    'Only purchases of at least €50.00 count.',
    'Only purchases in EUR count.',
    'It is for: one-time purchases, starts of subscriptions, and renewals of subscriptions.',
    'Further conditions: plan name = annual / team and kind ≠ group.',
  ]);
  expect(
    told(
      { field: 'purchase.isFirst', op: 'ne', value: true },
      { field: 'purchase.currency', op: 'in', value: ['EUR', 'USD'] },
      // In which currency, nobody knows.
      { field: 'purchase.amountMinor', op: 'lte', value: '5000' },
    ),
  ).toEqual([
    'A person’s first purchase does not count.',
    'Only purchases in EUR and USD count.',
    'Further conditions: amountMinor ≤ 5000.',
  ]);
});

test('what referred people get is told after the partner’s own, and loyalty not at all', () => {
  const rules = of([
    aRule(share, { beneficiaryRole: 'referee' }),
    aRule({ ...share, durationMode: 'forever' }, { beneficiaryRole: 'referee' }),
    aRule({}, { beneficiaryRole: 'subject' }),
    aRule(share),
  ]).rules.map(({ main }) => main);
  expect(rules).toEqual([
    'You earn 20% of the first purchase of everybody you refer.',
    'The people you refer get 20% of their first purchase back.',
    'The people you refer get 20% of each purchase back.',
  ]);
});

test('caps and refund policies are told', () => {
  const conditions = (terms: Partial<Terms>, change: Partial<RuleInForce> = {}) =>
    of([aRule({ refundPolicy: 'none', ...terms }, change)]).rules[0]?.conditions;
  const unchanged = 'A refund does not change it.';
  expect(conditions({ maxRewardsPerBeneficiary: 1 })).toEqual([
    'You can earn it once in all.',
    unchanged,
  ]);
  expect(conditions({ maxRewardsPerBeneficiary: 1_500 })).toEqual([
    'You can earn it at most 1,500 times in all.',
    unchanged,
  ]);
  const referee = { beneficiaryRole: 'referee' } as const;
  expect(conditions({ maxRewardsPerBeneficiary: 1 }, referee)?.[0]).toBe(
    'Each person gets it once at most.',
  );
  expect(conditions({ maxRewardsPerBeneficiary: 3 }, referee)?.[0]).toBe(
    'Each person gets it at most 3 times.',
  );
  expect(conditions({ refundPolicy: 'full' })).toEqual([
    'If any part of a purchase is refunded, all of it is taken back.',
  ]);
});

test('window, hold and minimum belong to the whole program', () => {
  const change = {
    windowDays: 30,
    holdDays: 14,
    minimums: { USD: '2500', EUR: '2000', JPY: '0' },
  };
  expect(of([aRule(share)], change).general).toEqual([
    'A referral counts if the person joins within 30 days of following your link.',
    'Rewards are paid 14 days after they were earned at the earliest.',
    'The minimum payout is $25.00 and €20.00.',
  ]);
  // Without cash nothing is paid out, and without a benefit of their own there is nothing to say.
  expect(of([aRule(units)], change).general).toHaveLength(1);
  expect(of([aRule(units, { beneficiaryRole: 'referee' })], change).general).toEqual([]);
  expect(of([], change)).toEqual({ rules: [], general: [] });
});

test('every kind of terms is told completely, in every language', () => {
  const reached = {
    calculation: 'milestone',
    milestone: { measure: 'revenue', at: 100n, repeat: true },
    conditions: [{ field: 'purchase.billingReason', op: 'eq', value: 'one_time' }],
  } as const;
  const SHAPES: Record<(typeof BENEFIT_KINDS)[number], readonly Partial<Terms>[]> = {
    cash: [{}, share, growing, reached],
    credit: [{}, share],
    discount: [share],
    custom: [units],
  };
  const aShape = fc
    .constantFrom(...BENEFIT_KINDS)
    .chain((benefitKind) =>
      fc.constantFrom(...SHAPES[benefitKind]).map((shape) => ({ ...shape, benefitKind })),
    );
  const anyRule = fc.record({
    shape: aShape,
    eventType: fc.constantFrom('signup', 'purchase', 'custom_deed'),
    beneficiaryRole: fc.constantFrom('referrer' as const, 'referee' as const),
    durationMode: fc.constantFrom(...DURATION_MODES),
    refundPolicy: fc.constantFrom(...REFUND_POLICIES),
    maxRewardsPerBeneficiary: fc.constantFrom(null, 1, 2, 11),
  });
  fc.assert(
    fc.property(anyRule, fc.constantFrom(...LANGUAGE_CODES), (any, code) => {
      const { shape, eventType, beneficiaryRole, ...rest } = any;
      const durationMonths = rest.durationMode === 'months' ? 6 : null;
      const rule = aRule({ ...shape, ...rest, durationMonths }, { eventType, beneficiaryRole });
      fc.pre(beneficiaryRole === 'referrer' || rule.terms.tiers === null);
      const program = { rules: [rule], windowDays: 7, holdDays: 2, minimums: { USD: '100' } };
      const { rules, general } = describeTerms(program, readerFor(code, undefined));
      const sentences = [
        ...rules.flatMap(({ main, conditions }) => [main, ...conditions]),
        ...general,
      ];
      expect(rules).toHaveLength(1);
      expect(sentences.join(' ')).not.toMatch(/[{}]|undefined|null|NaN/);
      expect(new Set(sentences).size).toBe(sentences.length);
    }),
  );
});
