import { describe, expect, it } from 'vitest';
import { formatRate } from '../../ui/format-rate.ts';
import { formatMinor } from '../../ui/money.tsx';
import { type ArithmeticTerms, arithmeticSteps } from './arithmetic.ts';

const EUR = { currency: 'EUR', currencyExponent: 2 };
const terms = (changes: Partial<ArithmeticTerms> = {}): ArithmeticTerms => ({
  benefitKind: 'cash',
  currency: null,
  currencyExponent: null,
  unit: null,
  maxRewardsPerBeneficiary: null,
  ...changes,
});
const euros = (minor: string) => formatMinor(minor, 'EUR', 2);

describe('the arithmetic of a reward, step by step', () => {
  it('shows base, rate, the exact product, the rounding and the result', () => {
    const share = { base: '2730', rateBps: 2050, rounding: 'half_up', result: '560' };
    expect(arithmeticSteps(share, terms(), EUR)).toEqual([
      { label: 'Purchase, without tax', value: euros('2730') },
      { label: '× 20.5%', value: '€5.5965' },
      { label: 'Rounded to the nearest, halves up', value: euros('560') },
      { label: 'Reward', value: euros('560') },
    ]);
  });

  it('speaks of no rounding where nothing was rounded', () => {
    const share = { base: '1000', rateBps: 2000, rounding: 'down', result: '200' };
    expect(arithmeticSteps(share, terms(), EUR).map(({ label }) => label)).toEqual([
      'Purchase, without tax',
      '× 20%',
      'Reward',
    ]);
  });

  it('keeps every digit of amounts that no number can hold', () => {
    const share = { base: '900719925474099301', rateBps: 1, rounding: 'down', result: '1' };
    expect(
      arithmeticSteps(share, terms(), { currency: 'JPY', currencyExponent: 0 })[1]?.value,
    ).toBe('¥90,071,992,547,409.9301');
  });

  it('pads amounts smaller than one unit', () => {
    const share = { base: '3', rateBps: 1, rounding: 'up', result: '1' };
    expect(arithmeticSteps(share, terms(), EUR)[1]?.value).toBe('€0.000003');
  });

  it.each([
    ['cash', { ...terms(EUR) }, { result: '500', rateBps: null }, euros('500')],
    [
      'discount',
      terms({ benefitKind: 'discount' }),
      { result: '1000 bps', rateBps: 1000 },
      '10% off',
    ],
    [
      'custom',
      terms({ benefitKind: 'custom', unit: { name: 'book', namePlural: 'books' } }),
      { result: '2', rateBps: null },
      '2 books',
    ],
    [
      'one',
      terms({ unit: { name: 'book', namePlural: 'books' } }),
      { result: '1', rateBps: null },
      '1 book',
    ],
  ])('shows what is fixed by the terms: %s', (_, fixed, calculated, value) => {
    const steps = arithmeticSteps({ base: null, rounding: null, ...calculated }, fixed, null);
    expect(steps).toEqual([{ label: 'Fixed by the terms', value }]);
  });

  it('tells of the limit that was kept', () => {
    const fixed = { base: null, rateBps: null, rounding: null, result: '500' };
    const steps = arithmeticSteps(fixed, terms({ ...EUR, maxRewardsPerBeneficiary: 3 }), null);
    expect(steps.at(-1)?.value).toContain('at most 3');
  });

  it('begins with the step or the milestone that decided', () => {
    const fixed = { base: null, rateBps: null, rounding: null, result: '500' };
    const tier = {
      measure: 'referrals',
      window: 'all_time',
      value: '6',
      carried: '0',
      from: '5',
    } as const;
    const grown = { tier, milestone: null, eventType: 'signup' };
    expect(arithmeticSteps(fixed, terms(EUR), null, grown)).toEqual([
      { label: 'Counted', value: 'the 6th referral: step from 5' },
      { label: 'Fixed by the terms', value: euros('500') },
    ]);
    const milestone = {
      measure: 'revenue',
      value: '1200',
      carried: '0',
      at: '1000',
      multiple: 1,
    } as const;
    const reached = { tier: null, milestone, eventType: 'purchase' };
    expect(arithmeticSteps(fixed, terms(EUR), null, reached)[0]).toEqual({
      label: 'Milestone',
      value: `${euros('1200')} of ${euros('1000')} of revenue`,
    });
  });

  it('writes rates as people do', () => {
    expect([1, 50, 1000, 10_000].map(formatRate)).toEqual(['0.01%', '0.5%', '10%', '100%']);
  });
});
