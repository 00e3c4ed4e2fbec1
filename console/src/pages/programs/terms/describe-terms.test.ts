import { describe, expect, test } from 'vitest';
import { formatMinor } from '../../../ui/money.tsx';
import type { TermsFacts } from './benefit-phrase.ts';
import { describeTerms, nameOf, type RuleFacts } from './describe-terms.ts';
import type { TierStep } from './growth/growth-form.ts';

const TEN: TermsFacts = {
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
const NO_MONEY = { fixedAmountMinor: null, currency: null, currencyExponent: null };
const SHARE: TermsFacts = { ...TEN, ...NO_MONEY, calculation: 'percentage', rateBps: 2000 };
const OFF: TermsFacts = { ...SHARE, benefitKind: 'discount' };
const SEATS: TermsFacts = {
  ...TEN,
  ...NO_MONEY,
  benefitKind: 'custom',
  quantity: 2,
  unit: { key: 'seat', name: 'seat', namePlural: 'seats' },
};
const rule = (eventType: string, role: RuleFacts['beneficiaryRole'] = 'referrer'): RuleFacts => ({
  kind: role === 'subject' ? 'loyalty' : 'referral',
  eventType,
  beneficiaryRole: role,
});
const ten = formatMinor('1000', 'USD', 2);
const first = (facts: RuleFacts, terms: TermsFacts) => describeTerms(facts, terms)[0];

describe('who gets it and when', () => {
  test.each([
    [rule('signup'), `The person who invited gets ${ten} in cash when their friend signs up.`],
    [rule('signup', 'referee'), `The invited friend gets ${ten} in cash when they sign up.`],
    [
      rule('purchase'),
      `The person who invited gets ${ten} in cash for their friend’s first purchase.`,
    ],
    [
      rule('purchase', 'referee'),
      `The invited friend gets ${ten} in cash for their first purchase.`,
    ],
    [rule('purchase', 'subject'), `The customer gets ${ten} in cash for their first purchase.`],
    [
      rule('custom_trial_started'),
      `The person who invited gets ${ten} in cash the first time their friend does “trial started”.`,
    ],
    [
      rule('custom_trial_started', 'subject'),
      `The customer gets ${ten} in cash the first time they do “trial started”.`,
    ],
    [
      { ...rule('signup'), kind: 'affiliate' as const },
      `The partner gets ${ten} in cash when their customer signs up.`,
    ],
    [
      { ...rule('purchase', 'referee'), kind: 'affiliate' as const },
      `The customer a partner brought gets ${ten} in cash for their first purchase.`,
    ],
  ])('%o', (facts, sentence) => {
    expect(first(facts, TEN)).toBe(sentence);
  });
});

describe('how long it goes on', () => {
  const months = { durationMode: 'months', durationMonths: 12 } as const;
  const forever = { durationMode: 'forever' } as const;

  test('a purchase rule earns for a time or without end', () => {
    expect(first(rule('purchase'), { ...SHARE, ...months })).toBe(
      'The person who invited gets 20% of all their friend’s purchases, in cash, for 12 months from the first.',
    );
    expect(first(rule('purchase'), { ...SHARE, ...forever })).toBe(
      'The person who invited gets 20% of all their friend’s purchases, in cash, without end.',
    );
    expect(
      first(rule('purchase'), { ...SHARE, durationMode: 'months', durationMonths: 1 }),
    ).toContain('for 1 month from the first');
  });

  test('a fixed amount likewise', () => {
    expect(first(rule('purchase', 'subject'), { ...TEN, ...months })).toBe(
      `The customer gets ${ten} in cash for each of their purchases, for 12 months from the first.`,
    );
  });

  test('so does a rule about an event of one’s own', () => {
    expect(first(rule('custom_review', 'subject'), { ...TEN, ...months })).toContain(
      'every time they do “review”, for 12 months from the first',
    );
    expect(first(rule('custom_review'), { ...TEN, ...forever })).toContain(
      'every time their friend does “review”, without end',
    );
  });

  test('a discount is earned once, and its duration is its own life', () => {
    const friend = rule('purchase', 'referee');
    expect(first(friend, OFF)).toBe(
      'The invited friend gets 20% off one purchase after their first purchase.',
    );
    expect(first(friend, { ...OFF, ...months })).toContain('20% off everything for 12 months');
    expect(first(rule('custom_review', 'referee'), { ...OFF, ...months })).toBe(
      'The invited friend gets 20% off everything for 12 months the first time they do “review”.',
    );
    expect(first(rule('signup', 'referee'), { ...OFF, ...forever })).toBe(
      'The invited friend gets 20% off everything from then on when they sign up.',
    );
  });
});

describe('what it is', () => {
  test.each<[TermsFacts, string]>([
    [TEN, `${ten} in cash`],
    [{ ...TEN, benefitKind: 'credit' }, `${ten} as account credit`],
    [{ ...TEN, currency: 'JPY', currencyExponent: 0 }, `${formatMinor('1000', 'JPY', 0)} in cash`],
    [{ ...TEN, currency: 'KWD', currencyExponent: 3 }, `${formatMinor('1000', 'KWD', 3)} in cash`],
    [{ ...SHARE, rateBps: 1250 }, '12.5% of their friend’s first purchase, in cash'],
    [
      { ...SHARE, benefitKind: 'credit', rateBps: 1 },
      '0.01% of their friend’s first purchase, as account credit',
    ],
    [SEATS, '2 seats'],
    [{ ...SEATS, quantity: 1 }, '1 seat'],
  ])('%o', (terms, phrase) => {
    expect(first(rule('purchase'), terms)).toContain(` gets ${phrase}`);
  });
});

describe('what limits it', () => {
  const has = (facts: RuleFacts, terms: TermsFacts, sentence: string) =>
    expect(describeTerms(facts, terms)).toContain(sentence);

  test('a cap', () => {
    has(rule('signup'), { ...TEN, maxRewardsPerBeneficiary: 1 }, 'Nobody gets it more than once.');
    has(
      rule('signup'),
      { ...TEN, maxRewardsPerBeneficiary: 10 },
      'Nobody gets it more than 10 times.',
    );
  });

  test('how long a grant is good for', () => {
    has(rule('signup'), { ...SEATS, validityDays: 30 }, 'It is valid for 30 days from the grant.');
  });

  test('refunds, where there is a purchase to refund', () => {
    const buy = rule('purchase');
    has(buy, TEN, 'A refund takes back the same share of it.');
    has(buy, SEATS, 'A full refund of the purchase takes it back.');
    has(buy, { ...TEN, refundPolicy: 'full' }, 'Any refund, however small, takes all of it back.');
    has(buy, { ...TEN, refundPolicy: 'none' }, 'Refunds leave it as it is.');
    expect(describeTerms(rule('signup'), TEN).join(' ')).not.toContain('efund');
  });

  test('rounding, only of a share of a price and only where it is not the usual', () => {
    const buy = rule('purchase');
    has(buy, { ...SHARE, roundingPolicy: 'down' }, 'Fractions of a cent are rounded down.');
    has(buy, { ...SHARE, roundingPolicy: 'up' }, 'Fractions of a cent are rounded up.');
    has(buy, { ...SHARE, roundingPolicy: 'half_even' }, 'Half a cent is rounded to the even cent.');
    for (const terms of [SHARE, { ...TEN, roundingPolicy: 'down' as const }, OFF]) {
      expect(describeTerms(buy, terms).join(' ')).not.toContain('cent is');
      expect(describeTerms(buy, terms).join(' ')).not.toContain('rounded');
    }
  });

  test('a hold', () => {
    has(
      { ...rule('signup'), holdDays: 14 },
      TEN,
      'It is held for 14 days before the service delivers it.',
    );
    expect(describeTerms({ ...rule('signup'), holdDays: 0 }, TEN)).toHaveLength(1);
  });
});

test('what is switched off says only that', () => {
  expect(describeTerms(rule('purchase'), { ...SHARE, enabled: false })).toEqual([
    'This rule is turned off: it gives no rewards.',
  ]);
});

describe('what it grows with', () => {
  const NO_SIZE = { rateBps: null, fixedAmountMinor: null, quantity: null };
  const dollars = { currency: 'USD', currencyExponent: 2 };
  const rates = (measure: 'referrals' | 'purchases' | 'revenue', ...froms: string[]) => ({
    measure,
    window: 'all_time' as const,
    steps: ['0', ...froms].map((from, index) => ({
      ...NO_SIZE,
      from,
      rateBps: 2000 + index * 500,
    })),
  });
  const partner = { ...rule('purchase'), kind: 'affiliate' as const };
  const forever = { durationMode: 'forever' } as const;

  test('a share in steps', () => {
    expect(first(rule('purchase'), { ...SHARE, ...forever, tiers: rates('referrals', '5') })).toBe(
      'The person who invited gets a share of all their friend’s purchases, in cash, without end: 20% up to 4 friends, 25% from the 5th.',
    );
    const tiers = rates('referrals', '2', '21', '112');
    expect(first(partner, { ...SHARE, tiers })).toContain(
      ': 20% up to 1 customer, 25% from the 2nd, 30% from the 21st, 35% from the 112th.',
    );
    expect(first(partner, { ...SHARE, tiers: rates('referrals', '1') })).toContain(
      ': 20% before the first customer, 25% from the 1st.',
    );
  });

  test('by purchases or revenue, which count together', () => {
    const byRevenue = { ...SHARE, ...dollars, tiers: rates('revenue', '100000') };
    const thousand = formatMinor('100000', 'USD', 2);
    expect(describeTerms(partner, byRevenue)).toEqual([
      `The partner gets a share of their customer’s first purchase, in cash: 20% below ${thousand} of revenue, 25% from ${thousand}.`,
      'The purchases of all the customers they brought count together.',
      'A refund takes back the same share of it.',
    ]);
    const own = describeTerms(rule('purchase', 'subject'), {
      ...SHARE,
      tiers: { ...rates('purchases', '10'), window: 'calendar_month' },
    });
    expect(own[0]).toContain(': 20% up to 9 purchases, 25% from the 10th.');
    expect(own[1]).toBe('The count begins anew with each calendar month (UTC).');
    const rolling = { ...rates('referrals', '5'), window: 'rolling_30_days' as const };
    expect(describeTerms(partner, { ...SHARE, tiers: rolling })[1]).toBe(
      'Only the last 30 days count.',
    );
  });

  test('amounts, discounts and units in steps', () => {
    const tiers = (...sizes: Partial<TierStep>[]) => ({
      measure: 'referrals' as const,
      window: 'all_time' as const,
      steps: sizes.map((size, index) => ({ ...NO_SIZE, from: String(index * 5), ...size })),
    });
    const amounts = tiers({ fixedAmountMinor: '1000' }, { fixedAmountMinor: '1500' });
    expect(first(rule('signup'), { ...TEN, tiers: amounts })).toBe(
      `The person who invited gets an amount in cash when their friend signs up: ${ten} up to 4 friends, ${formatMinor('1500', 'USD', 2)} from the 5th.`,
    );
    const offs = tiers({ rateBps: 1000 }, { rateBps: 2000 });
    expect(first(rule('signup'), { ...OFF, tiers: offs })).toBe(
      'The person who invited gets a discount on one purchase when their friend signs up: 10% off up to 4 friends, 20% off from the 5th.',
    );
    const seats = tiers({ quantity: 1 }, { quantity: 2 });
    expect(first(rule('signup'), { ...SEATS, tiers: seats })).toBe(
      'The person who invited gets seats when their friend signs up: 1 seat up to 4 friends, 2 seats from the 5th.',
    );
  });

  const at = (measure: 'referrals' | 'purchases' | 'revenue', value: string, repeat = false) => ({
    ...TEN,
    fixedAmountMinor: '5000',
    calculation: 'milestone' as const,
    milestone: { measure, at: value, repeat },
  });
  const fifty = formatMinor('5000', 'USD', 2);

  test('a milestone', () => {
    expect(describeTerms(rule('signup'), at('referrals', '10', true))).toEqual([
      `The person who invited gets ${fifty} in cash when they have brought 10 friends, and again for each 10 more.`,
      'If the count falls below it before the grant, it is voided.',
    ]);
    expect(first(partner, at('purchases', '1', true))).toBe(
      `The partner gets ${fifty} in cash when the customers they brought have made 1 purchase, and again for each one more.`,
    );
    expect(first(rule('purchase', 'subject'), at('revenue', '100000'))).toBe(
      `The customer gets ${fifty} in cash when they have spent ${formatMinor('100000', 'USD', 2)}.`,
    );
    const units = { ...at('referrals', '10'), ...NO_MONEY, benefitKind: 'custom' as const };
    const mug = { key: 'mug', name: 'mug', namePlural: 'mugs' };
    expect(first(rule('signup'), { ...units, quantity: 1, unit: mug })).toBe(
      'The person who invited gets 1 mug when they have brought 10 friends.',
    );
  });

  test('a milestone says when it is checked, if that is another event', () => {
    expect(describeTerms(rule('purchase'), at('referrals', '10'))[1]).toBe(
      'This is checked each time their friend buys.',
    );
    expect(describeTerms(rule('custom_review', 'subject'), at('purchases', '10'))[1]).toBe(
      'This is checked each time they do “review”.',
    );
  });
});

test('what must hold is one sentence', () => {
  const terms: TermsFacts = {
    ...SHARE,
    conditions: [
      { field: 'properties.plan', op: 'eq', value: 'annual' },
      { field: 'purchase.amountMinor', op: 'gte', value: '1000' },
      { field: 'purchase.currency', op: 'eq', value: 'USD' },
    ],
  };
  expect(describeTerms(rule('purchase'), terms)[1]).toBe(
    `It counts only if the plan is annual, the purchase is at least ${ten} and the purchase is in USD.`,
  );
});

test('a rule is named after what it does, without a cut word', () => {
  expect(nameOf('They get it.')).toBe('They get it');
  const long = nameOf(`${'They get it, '.repeat(12)}.`);
  expect(long.length).toBeLessThanOrEqual(120);
  expect(long).toMatch(/(They|get|it)…$/);
});
