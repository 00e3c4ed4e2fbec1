import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  aProgram,
  aRule,
  customTerms,
  discountTerms,
  FOUNDED_AT,
  percentTerms,
  STORAGE,
  someTerms,
} from '../../../../test/program-book.ts';
import { addMonths, addMs, toInstant, toMs } from '../../../platform/kit/instant.ts';
import { DEFAULT_DELIVERY, type DeliveryChoice } from '../../programs/delivery-methods.ts';
import type { BookedProgram, TermsVersion } from '../../programs/program-book.ts';
import type { RewardRow } from '../reward.ts';
import { calculateReward } from './calculate-reward.ts';
import {
  type EarnedVerdict,
  type EarningEvent,
  earnRewards,
  makeReward,
  type RuleTallies,
  type Sides,
} from './earn-rewards.ts';

const AT = '2026-11-15T09:30:00.000Z';
const BEFORE = addMs(AT, -1);
const usd = (amountMinor: bigint) => ({ amountMinor, currency: 'USD', currencyExponent: 2 });

const purchase: EarningEvent = {
  type: 'purchase',
  occurredAt: AT,
  receivedAt: AT,
  facts: { purchase: null, properties: {}, participantKind: 'individual' },
  base: usd(10_000n),
  added: { referrals: 0n, purchases: 1n, revenue: 0n, currency: null },
  standing: null,
  personId: 'referee',
};
const signup: EarningEvent = { ...purchase, type: 'signup', base: null };
const referred: Sides = {
  beneficiaries: { referrer: 'referrer', referee: 'referee' },
  periodKey: 'ref',
  referrerEnrolled: true,
  isReferrerSuspended: false,
  isRejected: false,
  referredAt: null,
  inTime: true,
};
const nothingYet: RuleTallies = {
  countOf: () => 0,
  hasEarned: () => false,
  firstEarnedAt: () => null,
  hasEarnedOnce: () => false,
  countMilestones: () => 0,
  milestonesOf: () => [],
  measure: () => ({ value: 0n, carried: 0n, rejected: 0n, underReview: 0n }),
};
const firstEarned = (at: string): RuleTallies => ({ ...nothingYet, firstEarnedAt: () => at });

function verdictOf(
  program: BookedProgram,
  event: EarningEvent = purchase,
  sides: Sides = referred,
  tallies: RuleTallies = nothingYet,
): string {
  const [verdict] = earnRewards(program, event, sides, tallies);
  if (!verdict) return 'no rule';
  if (verdict.verdict === 'earned') return `earned by ${verdict.beneficiaryId}`;
  return verdict.verdict === 'skipped' ? verdict.reason : 'regained';
}
const giving = (...terms: TermsVersion[]) => aProgram({ rules: [aRule(terms)] });
const EARNED = 'earned by referrer';

test('only the rules about this type of Event are judged, each by itself', () => {
  const program = aProgram({
    rules: [
      aRule([someTerms()], { id: 'one' }),
      aRule([someTerms()], { id: 'signup', eventType: 'signup' }),
      aRule([someTerms({ enabled: false })], { id: 'off', purpose: 'bonus' }),
      aRule([customTerms()], { id: 'friend', beneficiaryRole: 'referee' }),
    ],
  });
  const verdicts = earnRewards(program, purchase, referred, nothingYet);
  expect(verdicts.map(({ rule, verdict }) => [rule.id, verdict])).toEqual([
    ['one', 'earned'],
    ['off', 'skipped'],
    ['friend', 'earned'],
  ]);
  expect(verdicts[2]).toMatchObject({ beneficiaryId: 'referee', money: null });
});

test('a rejected referral earns nothing, whatever the rule and the Event, and says why', () => {
  const rules = [
    aRule([someTerms()], { id: 'one' }),
    aRule([customTerms()], { id: 'friend', beneficiaryRole: 'referee' }),
    aRule([someTerms({ enabled: false })], { id: 'signup', eventType: 'signup' }),
  ];
  for (const event of [purchase, signup]) {
    for (const program of [aProgram({ rules }), aProgram({ rules, intervals: [] })]) {
      const verdicts = earnRewards(program, event, { ...referred, isRejected: true }, nothingYet);
      expect(verdicts.length).toBeGreaterThan(0);
      for (const verdict of verdicts)
        expect(verdict).toMatchObject({ reason: 'referral_rejected' });
    }
  }
});

test('an earned verdict carries the terms, the amount and its arithmetic', () => {
  const program = giving(percentTerms(1_000));
  expect(earnRewards(program, purchase, referred, nothingYet)).toEqual([
    {
      verdict: 'earned',
      rule: program.rules[0],
      terms: program.rules[0]?.terms[0],
      beneficiaryId: 'referrer',
      money: usd(1_000n),
      arithmetic: { base: '10000', rateBps: 1_000, rounding: 'half_up', result: '1000' },
    },
  ]);
});

test('terms follow the Event’s own time: the highest version in effect then (D-TERM-5)', () => {
  const program = giving(
    someTerms({ id: 'first', effectiveAt: AT }),
    someTerms({ id: 'second', version: 2, effectiveAt: addMs(AT, 1_000) }),
  );
  const termsAt = (occurredAt: string) =>
    earnRewards(program, { ...purchase, occurredAt }, referred, nothingYet)[0]?.terms?.id;
  expect(termsAt(BEFORE)).toBeUndefined();
  expect(termsAt(AT)).toBe('first');
  expect(termsAt(addMs(AT, 999))).toBe('first');
  expect(termsAt(addMs(AT, 1_000))).toBe('second');
  expect(verdictOf(program, { ...purchase, occurredAt: BEFORE })).toBe('terms_not_effective');
});

test('a disabled version gives nothing, though an older one would (D-TERM-5)', () => {
  const program = giving(someTerms(), someTerms({ version: 2, enabled: false }));
  expect(verdictOf(program)).toBe('terms_disabled');
});

test.each([
  ['draft', 'program_not_active'],
  ['active', EARNED],
  ['paused', EARNED],
  ['ended', 'program_not_active'],
  ['archived', 'program_not_active'],
] as const)('a referral earns in a Program that is %s: %s (D-PROG-3)', (status, verdict) => {
  const intervals = [{ status, startsAt: FOUNDED_AT, endsAt: null }];
  expect(verdictOf({ ...giving(someTerms()), intervals })).toBe(verdict);
});

test('a late fact is judged by how the Program stood when it happened', () => {
  const program = {
    ...giving(someTerms()),
    intervals: [
      { status: 'active', startsAt: FOUNDED_AT, endsAt: AT },
      { status: 'ended', startsAt: AT, endsAt: null },
    ] as const,
  };
  expect(verdictOf(program, { ...purchase, occurredAt: BEFORE })).toBe(EARNED);
  expect(verdictOf(program)).toBe('program_not_active');
});

test('a Program earns from its start date to just before its end date, paused or not', () => {
  for (const status of ['active', 'paused'] as const) {
    const intervals = [{ status, startsAt: FOUNDED_AT, endsAt: null }];
    const program = { ...giving(someTerms()), intervals };
    expect(verdictOf({ ...program, startDate: AT })).toBe(EARNED);
    expect(verdictOf({ ...program, startDate: addMs(AT, 1) })).toBe('program_not_active');
    expect(verdictOf({ ...program, endDate: addMs(AT, 1) })).toBe(EARNED);
    expect(verdictOf({ ...program, endDate: AT })).toBe('program_not_active');
  }
});

test('the referrer needs an enrollment at that time, the referee none (D-ENR-2)', () => {
  const left = { ...referred, referrerEnrolled: false };
  expect(verdictOf(giving(someTerms()), purchase, left)).toBe('enrollment_not_active');
  const forReferee = aProgram({ rules: [aRule([someTerms()], { beneficiaryRole: 'referee' })] });
  expect(verdictOf(forReferee, purchase, left)).toBe('earned by referee');
});

test('while the referrer’s Partner is suspended only the referee earns (D-PAY-5)', () => {
  const suspended = { ...referred, isReferrerSuspended: true };
  expect(verdictOf(giving(someTerms()), purchase, suspended)).toBe('referrer_unavailable');
  const forReferee = aProgram({ rules: [aRule([someTerms()], { beneficiaryRole: 'referee' })] });
  expect(verdictOf(forReferee, purchase, suspended)).toBe('earned by referee');
});

test('a purchase too far before its referral is not of that referral (D-TRACK-6)', () => {
  expect(verdictOf(giving(someTerms()), purchase, { ...referred, inTime: false })).toBe(
    'no_referral',
  );
});

test('loyalty rewards the one who acts, while the Program is active and they have not left', () => {
  const rules = [aRule([someTerms()], { beneficiaryRole: 'subject' })];
  const loyalty = aProgram({ kind: 'loyalty', rules });
  const member = { ...referred, beneficiaries: { subject: 'me' }, referrerEnrolled: false };
  expect(verdictOf(loyalty, purchase, member)).toBe('earned by me');
  expect(verdictOf(loyalty, purchase, { ...member, beneficiaries: {} })).toBe(
    'enrollment_not_active',
  );
  const paused = [{ status: 'paused', startsAt: FOUNDED_AT, endsAt: null } as const];
  expect(verdictOf({ ...loyalty, intervals: paused }, purchase, member)).toBe('program_not_active');
});

test('a signup rule earns once for a person, for either side (D-ATTR-8)', () => {
  for (const beneficiaryRole of ['referrer', 'referee'] as const) {
    const rules = [aRule([someTerms()], { eventType: 'signup', beneficiaryRole })];
    const asked: string[][] = [];
    const tallies: RuleTallies = {
      ...nothingYet,
      hasEarnedOnce: (...question) => {
        asked.push(question);
        return true;
      },
    };
    const event = { ...signup, personId: 'creator' };
    expect(verdictOf(aProgram({ rules }), event, referred, tallies)).toBe('already_earned');
    expect(asked).toEqual([['rul', 'creator']]);
    expect(verdictOf(aProgram({ rules }), event)).toBe(`earned by ${beneficiaryRole}`);
  }
});

test('once means once for a referral, whatever the version (D-TERM-3)', () => {
  const program = giving(someTerms(), someTerms({ version: 2 }));
  const asked: string[][] = [];
  const tallies: RuleTallies = {
    ...nothingYet,
    hasEarned: (...question) => {
      asked.push(question);
      return true;
    },
  };
  expect(verdictOf(program, purchase, referred, tallies)).toBe('already_earned');
  expect(asked).toEqual([['rul', 'ref']]);
});

test('forever never ends', () => {
  const program = giving(someTerms({ durationMode: 'forever' }));
  expect(verdictOf(program, purchase, referred, firstEarned(FOUNDED_AT))).toBe(EARNED);
});

test('months run from the first earning Event, to just before their end (D-TERM-3)', () => {
  const program = giving(someTerms({ durationMode: 'months', durationMonths: 1 }));
  const tallies = firstEarned('2027-01-31T12:00:00.000Z');
  const at = (occurredAt: string) =>
    verdictOf(program, { ...purchase, occurredAt }, referred, tallies);
  expect(at('2027-02-28T11:59:59.999Z')).toBe(EARNED);
  expect(at('2027-02-28T12:00:00.000Z')).toBe('duration_over');
});

test('within its months every purchase earns, after them none', () => {
  const times = fc.integer({ min: toMs('2021-01-01T00:00:00.000Z'), max: toMs(AT) }).map(toInstant);
  fc.assert(
    fc.property(times, times, fc.integer({ min: 1, max: 120 }), (firstAt, occurredAt, months) => {
      const program = giving(someTerms({ durationMode: 'months', durationMonths: months }));
      const verdict = verdictOf(
        program,
        { ...purchase, occurredAt },
        referred,
        firstEarned(firstAt),
      );
      const isOver = toMs(occurredAt) >= toMs(addMonths(firstAt, months));
      expect(verdict).toBe(isOver ? 'duration_over' : EARNED);
    }),
  );
});

test.each(['once', 'months', 'forever'] as const)(
  'a discount that lasts %s is given once: the duration is its own life (D-TERM-3)',
  (durationMode) => {
    const program = giving(discountTerms({ durationMode, durationMonths: 3 }));
    expect(verdictOf(program)).toBe(EARNED);
    const given = { ...nothingYet, hasEarned: () => true };
    expect(verdictOf(program, purchase, referred, given)).toBe('already_earned');
  },
);

test('a cap counts the Rewards of the rule and beneficiary, and is never exceeded (D-TERM-6)', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.nat(60), (cap, events) => {
      const terms = someTerms({ durationMode: 'forever', maxRewardsPerBeneficiary: cap });
      let count = 0;
      const tallies: RuleTallies = {
        ...nothingYet,
        countOf: (ruleId, beneficiaryId) =>
          ruleId === 'rul' && beneficiaryId === 'referrer' ? count : 1_000,
      };
      for (let index = 0; index < events; index += 1) {
        const verdict = verdictOf(giving(terms), purchase, referred, tallies);
        expect(verdict).toBe(count < cap ? EARNED : 'cap_reached');
        if (verdict === EARNED) count += 1;
      }
      expect(count).toBe(Math.min(cap, events));
    }),
  );
});

test('what the arithmetic cannot give is explained', () => {
  const nothing = { ...purchase, base: usd(0n) };
  const unknown = { ...purchase, base: null };
  expect(verdictOf(giving(percentTerms(1)), { ...purchase, base: usd(1n) })).toBe('zero_amount');
  expect(verdictOf(giving(someTerms()), nothing)).toBe('zero_amount');
  expect(verdictOf(giving(customTerms()), nothing)).toBe('zero_amount');
  expect(verdictOf(giving(percentTerms(1_000)), unknown)).toBe('amount_missing');
  expect(verdictOf(giving(discountTerms({})), unknown)).toBe('amount_missing');
  expect(verdictOf(giving(someTerms()), unknown)).toBe(EARNED);
  expect(verdictOf(giving(customTerms()), unknown)).toBe(EARNED);
});

const NOW = '2026-11-15T09:30:00.000Z';
const maker = { projectId: 'prj', now: NOW, newId: (prefix: string) => `${prefix}_new` };
const earning = {
  number: 7,
  programId: 'prg',
  eventId: 'evt',
  referralId: 'ref',
  isUnderReview: false,
  purchaseId: 'pur',
  signupPersonId: null,
};

function verdictOn(terms: TermsVersion): EarnedVerdict {
  const base = { amountMinor: 9_999n, currency: 'EUR', currencyExponent: 2 };
  const calculated = calculateReward(terms, base);
  if ('skipped' in calculated) throw new Error(calculated.skipped);
  return {
    verdict: 'earned',
    rule: aRule([terms]),
    terms,
    beneficiaryId: 'par',
    ...calculated,
  };
}

function make(terms: TermsVersion, delivery: Partial<DeliveryChoice> = {}): RewardRow {
  return makeReward(maker, verdictOn(terms), {
    ...earning,
    delivery: { ...DEFAULT_DELIVERY, ...delivery },
  });
}

test('a Reward is earned now, for the verdict’s beneficiary, pinned to its terms and its arithmetic', () => {
  expect(make(percentTerms(1_000))).toEqual({
    id: 'rwd_new',
    projectId: 'prj',
    ...earning,
    milestone: null,
    ruleId: 'rul',
    termsVersionId: 'trm',
    beneficiaryRole: 'referrer',
    beneficiaryParticipantId: 'par',
    benefitKind: 'cash',
    amountMinor: 1_000n,
    netAmountMinor: 1_000n,
    currency: 'EUR',
    currencyExponent: 2,
    rateBps: null,
    durationMode: null,
    durationMonths: null,
    quantity: null,
    unitId: null,
    validityDays: null,
    plan: null,
    periods: null,
    method: 'operator',
    earnedAt: NOW,
    availableAt: NOW,
    fulfillmentStatus: 'pending',
    deliveryStatus: 'pending',
    deliveryReason: 'awaiting_operator',
    providerReference: null,
    isDisputed: false,
    answeredEventId: null,
    paidMinor: 0n,
    payoutId: null,
    fulfillment: null,
    revocation: null,
    void: null,
    arithmetic: { base: '9999', rateBps: 1_000, rounding: 'half_up', result: '1000' },
    createdAt: NOW,
    updatedAt: NOW,
  });
});

test('a Reward of a referral under review is born on hold', () => {
  const held = makeReward(maker, verdictOn(percentTerms(1_000)), {
    ...earning,
    isUnderReview: true,
    delivery: { ...DEFAULT_DELIVERY, holdDays: 7 },
  });
  expect(held).toMatchObject({
    isUnderReview: true,
    fulfillmentStatus: 'pending',
    deliveryStatus: 'on_hold',
    deliveryReason: 'risk_review',
  });
});

test('each kind of benefit goes by its own method', () => {
  const delivery = {
    cashMethod: 'payout',
    creditMethod: 'stripe_balance',
    discountMethod: 'stripe_coupon',
    customMethod: 'manual',
  };
  const methods = [
    someTerms(),
    someTerms({ benefitKind: 'credit' }),
    discountTerms(),
    customTerms(),
  ].map((terms) => make(terms, delivery).method);
  expect(methods).toEqual(['payout', 'stripe_balance', 'stripe_coupon', 'manual']);
});

test('a hold counts in days of 24 hours from the earning (D-RWD-2)', () => {
  const held = make(someTerms(), { holdDays: 30, cashMethod: 'payout' });
  expect(held.availableAt).toBe('2026-12-15T09:30:00.000Z');
  expect([held.deliveryStatus, held.deliveryReason]).toEqual(['on_hold', 'hold_period']);
  const byProduct = make(someTerms(), { holdDays: 30 });
  expect(byProduct.availableAt).toBe('2026-12-15T09:30:00.000Z');
  expect([byProduct.deliveryStatus, byProduct.deliveryReason]).toEqual(['on_hold', 'hold_period']);
});

test('a discount keeps its rate and its life (D-TERM-3)', () => {
  const reward = make(discountTerms({ durationMode: 'months', durationMonths: 3 }));
  expect(reward).toMatchObject({ rateBps: 2_000, durationMode: 'months', durationMonths: 3 });
  expect(reward).toMatchObject({ amountMinor: null, netAmountMinor: null, currency: null });
});

test('a custom Reward keeps its unit, and the plan that the unit stands for (D-RWD-10)', () => {
  const upgrades = [
    { unitKey: 'other', plan: 'team', periods: 12 },
    { unitKey: STORAGE.key, plan: 'pro', periods: 2 },
  ];
  const custom = { quantity: 5, unitId: STORAGE.id, validityDays: 30 };
  expect(make(customTerms(), { planUpgrades: upgrades })).toMatchObject({
    ...custom,
    plan: 'pro',
    periods: 2,
  });
  expect(make(customTerms())).toMatchObject({ ...custom, plan: null, periods: null });
  expect(make(someTerms(), { planUpgrades: upgrades })).toMatchObject({ unitId: null, plan: null });
});
