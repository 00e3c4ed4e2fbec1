import { describe, expect, test } from 'vitest';
import { decideTerms } from '../../../../../server/src/domain/programs/rules/decide-terms.ts';
import type { TermsVersion } from '../queries.ts';
import {
  checkTerms,
  keyOf,
  NEW_TERMS,
  type TermsErrors,
  type TermsForm,
  type TermsRule,
  toBody,
  toFacts,
  toForm,
} from './terms-form.ts';

const rule = (eventType: string, purpose: TermsRule['purpose'] = 'primary'): TermsRule => ({
  eventType,
  beneficiaryRole: 'referrer',
  purpose,
});
const form = (change: Partial<TermsForm>): TermsForm => ({ ...NEW_TERMS, ...change });
const SEATS = form({
  benefitKind: 'custom',
  quantity: '3',
  unitName: 'Free month',
  unitNamePlural: 'Free months',
});

describe('only the fields of the kind are sent', () => {
  const common = { durationMode: 'once', enabled: true };
  test.each<[string, TermsForm, object]>([
    [
      'signup',
      form({ amount: '12.5' }),
      {
        benefitKind: 'cash',
        calculation: 'fixed',
        fixedAmountMinor: '1250',
        currency: 'USD',
        currencyExponent: 2,
        ...common,
      },
    ],
    [
      'purchase',
      form({ calculation: 'percentage', rate: '12.5', durationMode: 'months', cap: '5' }),
      {
        benefitKind: 'cash',
        calculation: 'percentage',
        rateBps: 1250,
        durationMode: 'months',
        durationMonths: 12,
        maxRewardsPerBeneficiary: 5,
        roundingPolicy: 'half_up',
        refundPolicy: 'proportional',
        enabled: true,
      },
    ],
    [
      'signup',
      form({ benefitKind: 'discount', durationMode: 'forever' }),
      {
        benefitKind: 'discount',
        calculation: 'percentage',
        rateBps: 2000,
        durationMode: 'forever',
        enabled: true,
      },
    ],
    [
      'custom_review',
      SEATS,
      {
        benefitKind: 'custom',
        calculation: 'fixed',
        unit: { key: 'free_month', name: 'Free month', namePlural: 'Free months' },
        quantity: 3,
        ...common,
      },
    ],
  ])('%s %#', (eventType, filled, body) => {
    expect(checkTerms(filled, rule(eventType))).toEqual({});
    expect(toBody(filled, rule(eventType))).toEqual(body);
  });

  test('a share or a duration chosen for purchases says nothing about a signup', () => {
    const share = form({ calculation: 'percentage', durationMode: 'forever' });
    expect(toBody(share, rule('signup'))).toMatchObject({
      calculation: 'fixed',
      durationMode: 'once',
    });
  });

  test('a currency has its own decimals', () => {
    expect(toBody(form({ currency: 'JPY', amount: '1500' }), rule('signup'))).toMatchObject({
      fixedAmountMinor: '1500',
      currencyExponent: 0,
    });
    expect(checkTerms(form({ currency: 'JPY', amount: '15.5' }), rule('signup')).amount).toContain(
      'JPY',
    );
    expect(checkTerms(form({ currency: 'KWD', amount: '1.234' }), rule('signup'))).toEqual({});
  });
});

const steps = (...some: TermsForm['steps'][number][]): Partial<TermsForm> => ({
  growth: 'steps',
  steps: some,
});

test('a milestone without a number is refused, and is only for a bonus', () => {
  const milestone = form({ growth: 'milestone', at: '0', calculation: 'percentage' });
  expect(checkTerms(milestone, rule('purchase', 'bonus'))).toEqual({ at: 'More than 0' });
  expect(toBody(milestone, rule('purchase'))).toMatchObject({ calculation: 'percentage' });
  expect(toBody(milestone, rule('purchase'))).not.toHaveProperty('milestone');
});

test('only a referrer has referrals to count', () => {
  const growing = form(steps({ from: '0', size: '1' }, { from: '5', size: '2' }));
  expect(toBody(growing, rule('purchase')).tiers?.measure).toBe('referrals');
  const friend = { ...rule('purchase'), beneficiaryRole: 'referee' } as const;
  expect(toBody(growing, friend).tiers?.measure).toBe('purchases');
});

test('a condition on purchases says nothing about a signup', () => {
  const first = form({ conditions: [{ field: 'purchase.isFirst', op: 'eq', values: ['true'] }] });
  expect(checkTerms(first, rule('purchase'))).toEqual({});
  expect(Object.keys(checkTerms(first, rule('signup')))).toEqual(['conditions.0.field']);
});

describe('what the service would refuse is said at its field', () => {
  test.each<[Partial<TermsForm>, keyof TermsErrors]>([
    [{ amount: '' }, 'amount'],
    [{ amount: '0.00' }, 'amount'],
    [{ amount: '1.005' }, 'amount'],
    [{ currency: 'XAU' }, 'currency'],
    [{ calculation: 'percentage', rate: '0' }, 'rate'],
    [{ calculation: 'percentage', rate: '100.01' }, 'rate'],
    [{ benefitKind: 'discount', rate: 'x' }, 'rate'],
    [{ ...SEATS, quantity: '1000001' }, 'quantity'],
    [{ ...SEATS, unitName: ' ' }, 'unitName'],
    [{ ...SEATS, unitKey: 'Free' }, 'unitKey'],
    [{ ...SEATS, unitName: '無料', unitKey: '' }, 'unitKey'],
    [{ ...SEATS, validityDays: '0' }, 'validityDays'],
    [{ durationMode: 'months', durationMonths: '121' }, 'durationMonths'],
    [{ cap: '0' }, 'cap'],
    [{ changeNote: 'x'.repeat(501) }, 'changeNote'],
    [steps({ from: '0', size: '20' }, { from: '', size: '25' }), 'steps.1.from'],
    [steps({ from: '1', size: '20' }, { from: '5', size: '25' }), 'steps.0.from'],
    [steps({ from: '0', size: '20' }, { from: '0', size: '25' }), 'steps.1.from'],
    [steps({ from: '0', size: '20' }, { from: '5', size: '0' }), 'steps.1.size'],
    [
      {
        ...steps({ from: '0', size: '20' }, { from: '5.005', size: '25' }),
        calculation: 'percentage',
        measure: 'revenue',
      },
      'steps.1.from',
    ],
    [
      {
        ...steps({ from: '0', size: '20' }, { from: '5', size: '25' }),
        calculation: 'percentage',
        measure: 'revenue',
        currency: '',
      },
      'currency',
    ],
    [{ conditions: [{ field: 'properties.', op: 'eq', values: ['x'] }] }, 'conditions.0.field'],
    [{ conditions: [{ field: 'properties.plan', op: 'eq', values: [] }] }, 'conditions.0.value'],
    [
      { conditions: [{ field: 'properties.seats', op: 'gte', values: ['many'] }] },
      'conditions.0.value',
    ],
    [
      { conditions: [{ field: 'purchase.amountMinor', op: 'gte', values: ['1.5'] }] },
      'conditions.0.value',
    ],
    [
      { conditions: [{ field: 'purchase.currency', op: 'in', values: ['USD', 'XAU'] }] },
      'conditions.0.value',
    ],
  ])('%o', (change, field) => {
    expect(Object.keys(checkTerms(form(change), rule('purchase')))).toEqual([field]);
  });
});

describe('terms that are opened and sent unchanged are the same terms', () => {
  const NO_SIZE = { rateBps: null, fixedAmountMinor: null, quantity: null };
  const DOLLARS = { currency: 'USD', currencyExponent: 2 };
  const UNIT = { key: 'seat', name: 'seat', namePlural: 'seats' };
  const share: TermsVersion = {
    id: 'trm_1',
    createdAt: '2026-11-15T09:30:00.000Z',
    updatedAt: '2026-11-15T09:30:00.000Z',
    projectId: 'prj_1',
    ruleId: 'rul_1',
    programId: 'prg_1',
    beneficiaryRole: 'referrer',
    version: 1,
    publishedAt: '2026-11-15T09:30:00.000Z',
    effectiveAt: '2026-11-15T09:30:00.000Z',
    author: 'user:1',
    changeNote: 'Launch',
    customUnitId: null,
    benefitKind: 'credit',
    calculation: 'percentage',
    ...NO_SIZE,
    currency: null,
    currencyExponent: null,
    rateBps: 1250,
    durationMode: 'months',
    durationMonths: 6,
    unit: null,
    validityDays: null,
    maxRewardsPerBeneficiary: 9,
    conditions: null,
    tiers: null,
    milestone: null,
    roundingPolicy: 'up',
    refundPolicy: 'none',
    enabled: true,
  };
  const seats: TermsVersion = {
    ...share,
    benefitKind: 'custom',
    calculation: 'fixed',
    rateBps: null,
    unit: UNIT,
    quantity: 2,
    validityDays: 30,
  };
  const growing: TermsVersion = {
    ...share,
    tiers: {
      measure: 'referrals',
      window: 'calendar_month',
      steps: [
        { ...NO_SIZE, from: '0', rateBps: 1250 },
        { ...NO_SIZE, from: '5', rateBps: 2000 },
      ],
    },
  };
  const byRevenue: TermsVersion = {
    ...growing,
    ...DOLLARS,
    tiers: {
      measure: 'revenue',
      window: 'rolling_30_days',
      steps: [
        { ...NO_SIZE, from: '0', rateBps: 1250 },
        { ...NO_SIZE, from: '100050', rateBps: 2000 },
      ],
    },
  };
  const amounts: TermsVersion = {
    ...share,
    ...DOLLARS,
    benefitKind: 'cash',
    calculation: 'fixed',
    rateBps: null,
    fixedAmountMinor: '1000',
    tiers: {
      measure: 'purchases',
      window: 'all_time',
      steps: [
        { ...NO_SIZE, from: '0', fixedAmountMinor: '1000' },
        { ...NO_SIZE, from: '10', fixedAmountMinor: '1550' },
      ],
    },
  };
  const moreSeats: TermsVersion = {
    ...seats,
    tiers: {
      measure: 'referrals',
      window: 'all_time',
      steps: [
        { ...NO_SIZE, from: '0', quantity: 2 },
        { ...NO_SIZE, from: '5', quantity: 3 },
      ],
    },
  };
  const once = { durationMode: 'once', durationMonths: null } as const;
  const milestone: TermsVersion = {
    ...amounts,
    ...once,
    calculation: 'milestone',
    tiers: null,
    milestone: { measure: 'revenue', at: '500000', repeat: true },
  };
  const mug: TermsVersion = {
    ...seats,
    ...once,
    calculation: 'milestone',
    milestone: { measure: 'referrals', at: '10', repeat: false },
  };
  const discount: TermsVersion = {
    ...share,
    ...DOLLARS,
    benefitKind: 'discount',
    calculation: 'milestone',
    milestone: { measure: 'revenue', at: '5000', repeat: false },
  };
  const conditional: TermsVersion = {
    ...share,
    conditions: [
      { field: 'properties.plan', op: 'in', value: ['annual', '12', 12, true, 'true', 'a, b'] },
      { field: 'properties.seats', op: 'gte', value: 5 },
      { field: 'properties.beta', op: 'ne', value: false },
      { field: 'purchase.amountMinor', op: 'lte', value: '5000' },
      { field: 'purchase.currency', op: 'not_in', value: ['USD', 'EUR'] },
      { field: 'purchase.isFirst', op: 'eq', value: true },
      { field: 'purchase.billingReason', op: 'eq', value: 'subscription_cycle' },
      { field: 'participant.kind', op: 'ne', value: 'group' },
    ],
  };

  test.each(
    Object.entries({
      share,
      seats,
      growing,
      byRevenue,
      amounts,
      moreSeats,
      milestone,
      mug,
      discount,
      conditional,
    }),
  )('%s', (_, version) => {
    const opened = toForm(version);
    const bonus = rule(version.milestone?.measure === 'referrals' ? 'signup' : 'purchase', 'bonus');
    expect(checkTerms(opened, bonus)).toEqual({});
    expect(version).toMatchObject(toFacts(opened, bonus));
    const { tiers, ...sent } = toBody(opened, bonus);
    expect(version).toMatchObject(sent);
    expect(version.tiers?.steps ?? []).toMatchObject(tiers?.steps ?? []);
    expect([tiers?.measure, tiers?.window]).toEqual([
      version.tiers?.measure,
      version.tiers?.window,
    ]);
    expect([sent.milestone ?? null, sent.conditions ?? null]).toEqual([
      version.milestone,
      version.conditions,
    ]);
    // The currency of revenue is sent as well.
    expect(sent.currency ?? null).toBe(version.currency);
    // The service takes it.
    const issues: Parameters<typeof decideTerms>[3] = [];
    decideTerms(toBody(opened, bonus), bonus, '2026-11-15T09:30:00.000Z', issues);
    expect(issues).toEqual([]);
    // A note belongs to one change.
    expect(opened.changeNote).toBe('');
  });
});

test('a key is made from a name', () => {
  expect(['Free month', '3 Cafés!', '  ', 'SEAT'].map(keyOf)).toEqual([
    'free_month',
    'cafes',
    '',
    'seat',
  ]);
});
