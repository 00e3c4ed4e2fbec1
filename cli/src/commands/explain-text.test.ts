import { expect, test } from 'vitest';
import { type Event, type Explanation, explainText, type Terms } from './explain-text.ts';

const AT = '2026-11-15T09:30:00.000Z';
const event = {
  id: 'evt_1',
  type: 'purchase',
  participantId: 'par_2',
  occurredAt: AT,
  processingState: 'processed',
  processingReason: 'attributed',
  normalizedFacts: { purchase: { currency: 'USD', currencyExponent: 2 } },
} as unknown as Event;
const candidate = { touchId: 'tch_1', programId: 'prg_1', referrer: 'par_1', occurredAt: AT };
const rule = {
  isRegained: false,
  ruleId: 'rul_1',
  termsVersionId: 'trm_1',
  beneficiaryRole: 'referrer' as const,
  condition: null,
  tier: null,
  milestone: null,
};
const earned = { ...rule, verdict: 'earned' as const, reason: null, rewardId: 'rwd_1' };
const money: Terms = {
  id: 'trm_1',
  version: 3,
  benefitKind: 'cash',
  currency: 'USD',
  currencyExponent: 2,
  unit: null,
};

function explain(explanation: Partial<Explanation>, terms: Partial<Terms> = {}, of: object = {}) {
  return explainText({
    event: { ...event, ...of },
    explanation: { candidates: [], rules: [], risk: null, ...explanation },
    names: new Map([
      ['par_1', '42 (Ada)'],
      ['prg_1', '“Invite”'],
      ['rul_1', '“Share”'],
    ]),
    terms: new Map([['trm_1', { ...money, ...terms }]]),
  });
}

test('every candidate has its verdict, and why', () => {
  const text = explain({
    candidates: [
      { ...candidate, verdict: 'selected', reason: null },
      { ...candidate, referrer: 'par_9', verdict: 'rejected', reason: 'outranked' },
      { ...candidate, verdict: 'rejected', reason: 'of_a_newer_service' as never },
    ],
  });
  expect(text).toBe(`evt_1: purchase of par_2 at ${AT}.
It belongs to a referral.

Possible referrers:
  - 42 (Ada), in “Invite”, ${AT}: credited.
  - par_9, in “Invite”, ${AT}: not credited, since another one took precedence: a typed code before clicks, then as the policy says.
  - 42 (Ada), in “Invite”, ${AT}: not credited, since of_a_newer_service.

No rule applied.
`);
});

test.each([
  [
    { base: '1999', rateBps: 500, rounding: 'half_up' as const, result: '100' },
    {},
    '5 % of 19.99 USD is 0.9995, rounded to the nearest, halves up: 1.00 USD by version 3 of its terms (rwd_1).',
  ],
  [
    { base: '2000', rateBps: 1250, rounding: 'down' as const, result: '250' },
    {},
    '12.5 % of 20.00 USD is 2.50 USD by version 3 of its terms (rwd_1).',
  ],
  [
    { base: null, rateBps: null, rounding: null, result: '1000' },
    {},
    '10.00 USD, a fixed amount, by version 3 of its terms (rwd_1).',
  ],
  [
    { base: null, rateBps: null, rounding: null, result: '3' },
    { benefitKind: 'custom', currency: null, unit: { name: 'month', namePlural: 'months' } },
    '3 months by version 3 of its terms (rwd_1).',
  ],
  [
    { base: null, rateBps: 2000, rounding: null, result: '2000' },
    { benefitKind: 'discount', currency: null },
    'a discount of 20 % by version 3 of its terms (rwd_1).',
  ],
])('the arithmetic of %j is told exactly', (calculation, terms, sentence) => {
  const text = explain({ rules: [{ ...earned, calculation }] }, terms);
  expect(text).toContain(`  - “Share”, for the referrer: ${sentence}\n`);
});

test('a condition, a step and a milestone are named with the values that decided', () => {
  const calculation = { base: '2000', rateBps: 1250, rounding: 'down' as const, result: '250' };
  const tier = {
    measure: 'referrals',
    window: 'all_time',
    value: '6',
    carried: '4',
    from: '5',
  } as const;
  expect(explain({ rules: [{ ...earned, calculation, tier }] })).toContain(
    'by version 3 of its terms, in the step from 5 with referrals at 6, of which 4 carried over (rwd_1).',
  );
  const skipped = {
    ...rule,
    verdict: 'skipped' as const,
    rewardId: null,
    calculation: null,
  };
  const condition = { field: 'properties.plan', op: 'eq', value: 'annual', found: null } as const;
  expect(explain({ rules: [{ ...skipped, reason: 'condition_not_met', condition }] })).toContain(
    'did not hold: properties.plan eq "annual", and it was missing.',
  );
  const milestone = {
    measure: 'purchases',
    value: '9',
    carried: '0',
    at: '10',
    multiple: 1,
  } as const;
  expect(
    explain({ rules: [{ ...skipped, reason: 'milestone_not_reached', milestone }] }),
  ).toContain('its milestone was not reached yet: purchases at 9 of 10.');
});

test('a rule that gave nothing says why, and an event that waits says for what', () => {
  const skipped = {
    ...rule,
    verdict: 'skipped' as const,
    rewardId: null,
    calculation: null,
  };
  const text = explain({ rules: [{ ...skipped, reason: 'cap_reached' }] });
  expect(text).toContain('nothing, since the beneficiary already had as many of its rewards');
  const waits = { processingState: 'pending', processingReason: 'awaiting_attribution' };
  expect(explain({}, {}, waits)).toContain(
    'It is pending. It arrived before the signup or the start of the subscription',
  );
  expect(explain({}, {}, { processingReason: 'self_referral' })).toContain(
    'Nobody was credited: the',
  );
});

test('what speaks against the referral is said with its points', () => {
  const risk = {
    referralId: 'ref_1',
    policyVersionId: 'rkp_1',
    mode: 'review' as const,
    score: 60,
    reviewAt: 60,
    signals: [
      { signal: 'email_alias' as const, value: '1', points: 60, sentence: 'The same address.' },
    ],
    reviewId: 'rvw_1',
  };
  expect(explain({ risk })).toContain(
    'Risk score 60, which opened the review rvw_1:\n  - 60: The same address.\n',
  );
  expect(explain({ risk: { ...risk, score: 0, signals: [] } })).not.toContain('Risk');
});
