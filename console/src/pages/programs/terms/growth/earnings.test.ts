import { describe, expect, test } from 'vitest';
import type { TermsFacts } from '../benefit-phrase.ts';
import { earningsOf } from './earnings.ts';
import type { Measure, TierStep } from './growth-form.ts';

const NO_SIZE = { rateBps: null, fixedAmountMinor: null, quantity: null };
const FIXED: TermsFacts = {
  benefitKind: 'cash',
  calculation: 'fixed',
  ...NO_SIZE,
  fixedAmountMinor: '1000',
  currency: 'USD',
  currencyExponent: 2,
  durationMode: 'once',
  durationMonths: null,
  unit: null,
  validityDays: null,
  maxRewardsPerBeneficiary: null,
  conditions: null,
  tiers: null,
  milestone: null,
  roundingPolicy: 'half_up',
  refundPolicy: 'proportional',
  enabled: true,
};
const SHARE: TermsFacts = { ...FIXED, calculation: 'percentage', rateBps: 2000 };
const tiers = (measure: Measure, ...steps: (Partial<TierStep> & { from: string })[]) => ({
  measure,
  window: 'all_time' as const,
  steps: steps.map((step) => ({ ...NO_SIZE, ...step })),
});
const REFERRER = { eventType: 'purchase', beneficiaryRole: 'referrer' } as const;
const CUSTOMER = { eventType: 'purchase', beneficiaryRole: 'subject' } as const;
const earn = (terms: TermsFacts, rule: Parameters<typeof earningsOf>[0] = REFERRER) => {
  const earnings = earningsOf(rule, terms, 'USD');
  if (!earnings) throw new Error('These terms earn nothing.');
  const at = (count: number) => earnings.totals[earnings.counts.indexOf(BigInt(count))];
  return { ...earnings, at };
};

describe('steps', () => {
  const growing = {
    ...FIXED,
    tiers: tiers(
      'referrals',
      { from: '0', fixedAmountMinor: '1000' },
      { from: '5', fixedAmountMinor: '1500' },
    ),
  };

  test('each referral earns by its own step', () => {
    const { at, counts, kind, price } = earn(growing);
    expect([counts.length, counts[0], counts.at(-1)]).toEqual([50, 1n, 50n]);
    expect([at(1), at(4), at(5), at(6)]).toEqual([1000n, 4000n, 5500n, 7000n]);
    expect([kind, price]).toEqual(['money', null]);
  });

  test('the closed sum is what adding one by one gives', () => {
    const steps = tiers(
      'referrals',
      { from: '0', fixedAmountMinor: '7' },
      { from: '1', fixedAmountMinor: '11' },
      { from: '13', fixedAmountMinor: '5' },
      { from: '40', fixedAmountMinor: '100' },
    );
    const { totals } = earn({ ...FIXED, tiers: steps });
    let sum = 0n;
    for (const [index, total] of totals.entries()) {
      const step = steps.steps.findLast(({ from }) => Number(from) <= index + 1);
      sum += BigInt(step?.fixedAmountMinor ?? 0);
      expect(total).toBe(sum);
    }
  });

  test('a limit ends it', () => {
    const { at } = earn({ ...growing, maxRewardsPerBeneficiary: 5 });
    expect([at(4), at(5), at(50)]).toEqual([4000n, 5500n, 5500n]);
  });

  test('who can earn only once earns only once', () => {
    const own = { ...growing, tiers: { ...growing.tiers, measure: 'purchases' as const } };
    expect(earn(own, CUSTOMER).at(50)).toBe(1000n);
    expect(earn({ ...own, durationMode: 'forever' }, CUSTOMER).at(5)).toBe(5500n);
  });

  test('a share is of purchases of a hundred', () => {
    const share = {
      ...SHARE,
      tiers: tiers('referrals', { from: '0', rateBps: 2000 }, { from: '5', rateBps: 2500 }),
    };
    const { at, price } = earn(share);
    expect([price, at(4), at(5)]).toEqual([10_000n, 8000n, 10_500n]);
    expect(earningsOf(REFERRER, share, 'JPY')?.price).toBe(10_000n);
    expect(earningsOf(REFERRER, share, 'KWD')?.price).toBe(100_000n);
  });

  test('steps that begin far away are in sight', () => {
    const far = {
      ...SHARE,
      tiers: tiers('referrals', { from: '0', rateBps: 1000 }, { from: '1000', rateBps: 2000 }),
    };
    const { counts, at } = earn(far);
    expect([counts[0], counts.at(-1)]).toEqual([50n, 2500n]);
    expect([at(950), at(1000)]).toEqual([950_000n, 1_001_000n]);
  });

  test('revenue grows by purchases of one size', () => {
    const byRevenue = {
      ...SHARE,
      tiers: tiers('revenue', { from: '0', rateBps: 1000 }, { from: '100000', rateBps: 2000 }),
    };
    const { counts, price, at } = earn(byRevenue);
    expect([price, counts[0], counts.at(-1)]).toEqual([5000n, 5000n, 250_000n]);
    expect([at(95_000), at(100_000)]).toEqual([9500n, 10_500n]);
  });

  test('fractions are rounded as the terms say', () => {
    const odd = (roundingPolicy: TermsFacts['roundingPolicy']) =>
      earn({
        ...SHARE,
        roundingPolicy,
        tiers: tiers('revenue', { from: '0', rateBps: 5 }, { from: '40000', rateBps: 5 }),
      }).totals[0];
    // 0.05 % of 10.00 is half a cent.
    expect([odd('half_up'), odd('up'), odd('down'), odd('half_even')]).toEqual([1n, 1n, 0n, 0n]);
  });

  test('a discount is not added up', () => {
    const { kind, at } = earn({
      ...SHARE,
      benefitKind: 'discount',
      tiers: tiers('referrals', { from: '0', rateBps: 1000 }, { from: '5', rateBps: 2000 }),
    });
    expect([kind, at(4), at(5), at(50)]).toEqual(['rate', 1000n, 2000n, 2000n]);
  });
});

describe('milestones', () => {
  const mug: TermsFacts = {
    ...FIXED,
    benefitKind: 'custom',
    calculation: 'milestone',
    fixedAmountMinor: null,
    quantity: 1,
    milestone: { measure: 'referrals', at: '10', repeat: false },
  };

  test('are earned once, or at each multiple', () => {
    const once = earn(mug);
    expect(once.isStepped).toBe(true);
    expect([once.kind, once.at(9), once.at(10), once.at(50)]).toEqual(['units', 0n, 1n, 1n]);
    const again = earn({ ...mug, milestone: { measure: 'referrals', at: '10', repeat: true } });
    expect([again.at(19), again.at(20), again.at(50)]).toEqual([1n, 2n, 5n]);
    const capped = { ...mug, maxRewardsPerBeneficiary: 2 };
    expect(
      earn({ ...capped, milestone: { measure: 'referrals', at: '10', repeat: true } }).at(50),
    ).toBe(2n);
  });

  test('of one’s own purchases as well', () => {
    const own = { measure: 'purchases', at: '10', repeat: true } as const;
    expect(earn({ ...mug, milestone: own }, CUSTOMER).at(30)).toBe(3n);
  });
});

test('there is nothing to show while it does not grow, is incomplete or is off', () => {
  const half = tiers('referrals', { from: '0', fixedAmountMinor: '1' }, { from: '5' });
  for (const terms of [
    FIXED,
    { ...FIXED, tiers: half },
    {
      ...FIXED,
      enabled: false,
      milestone: { measure: 'referrals', at: '1', repeat: true } as const,
    },
  ]) {
    expect(earningsOf(REFERRER, terms, 'USD')).toBeNull();
  }
  expect(
    earningsOf(
      REFERRER,
      { ...FIXED, milestone: { measure: 'referrals', at: '1', repeat: true } },
      'XXX',
    ),
  ).toBeNull();
});
