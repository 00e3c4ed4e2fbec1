import { describe, expect, test } from 'vitest';
import type { TermsVersion } from '../queries.ts';
import {
  checkTerms,
  keyOf,
  NEW_TERMS,
  type TermsForm,
  toBody,
  toFacts,
  toForm,
} from './terms-form.ts';

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
    expect(checkTerms(filled, eventType)).toEqual({});
    expect(toBody(filled, eventType)).toEqual(body);
  });

  test('a share or a duration chosen for purchases says nothing about a signup', () => {
    const share = form({ calculation: 'percentage', durationMode: 'forever' });
    expect(toBody(share, 'signup')).toMatchObject({ calculation: 'fixed', durationMode: 'once' });
  });

  test('a currency has its own decimals', () => {
    expect(toBody(form({ currency: 'JPY', amount: '1500' }), 'signup')).toMatchObject({
      fixedAmountMinor: '1500',
      currencyExponent: 0,
    });
    expect(checkTerms(form({ currency: 'JPY', amount: '15.5' }), 'signup').amount).toContain('JPY');
    expect(checkTerms(form({ currency: 'KWD', amount: '1.234' }), 'signup')).toEqual({});
  });
});

describe('what the service would refuse is said at its field', () => {
  test.each<[Partial<TermsForm>, keyof TermsForm]>([
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
  ])('%o', (change, field) => {
    expect(Object.keys(checkTerms(form(change), 'purchase'))).toEqual([field]);
  });
});

test('terms that are opened and sent unchanged are the same terms', () => {
  const version: TermsVersion = {
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
    fixedAmountMinor: null,
    currency: null,
    currencyExponent: null,
    rateBps: 1250,
    durationMode: 'months',
    durationMonths: 6,
    unit: null,
    quantity: null,
    validityDays: null,
    maxRewardsPerBeneficiary: 9,
    roundingPolicy: 'up',
    refundPolicy: 'none',
    enabled: true,
  };
  expect(version).toMatchObject(toFacts(toForm(version), 'purchase'));
  const seats = {
    ...version,
    benefitKind: 'custom' as const,
    calculation: 'fixed' as const,
    rateBps: null,
    unit: { key: 'seat', name: 'seat', namePlural: 'seats' },
    quantity: 2,
    validityDays: 30,
  };
  expect(seats).toMatchObject(toFacts(toForm(seats), 'purchase'));
  // A note belongs to one change.
  expect(toForm(version).changeNote).toBe('');
});

test('a key is made from a name', () => {
  expect(['Free month', '3 Cafés!', '  ', 'SEAT'].map(keyOf)).toEqual([
    'free_month',
    'cafes',
    '',
    'seat',
  ]);
});
