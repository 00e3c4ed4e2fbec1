import { expect, test } from 'vitest';
import {
  aRule,
  customTerms,
  discountTerms,
  percentTerms,
  STORAGE,
  someTerms,
} from '../../../../test/program-book.ts';
import type { TermsVersion } from '../../programs/book/program-book.ts';
import { DEFAULT_DELIVERY, type DeliveryChoice } from '../../programs/delivery-methods.ts';
import type { RewardRow } from '../reward.ts';
import { calculateReward } from './calculate-reward.ts';
import type { EarnedVerdict } from './earn-rewards.ts';
import { makeReward } from './make-reward.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const maker = { projectId: 'prj', now: NOW, newId: (prefix: string) => `${prefix}_new` };
const earning = {
  number: 7,
  programId: 'prg',
  eventId: 'evt',
  referralId: 'ref',
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
