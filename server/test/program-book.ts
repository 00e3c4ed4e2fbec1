import { DEFAULT_DELIVERY } from '../src/domain/programs/delivery-methods.ts';
import {
  DEFAULT_RISK_POLICY,
  type RiskPolicyVersion,
} from '../src/domain/programs/policies/risk-policy.ts';
import type {
  BookedProgram,
  BookedRule,
  TermsVersion,
} from '../src/domain/programs/program-book.ts';
import type { Measure, MeasureWindow } from '../src/domain/programs/rules/measures.ts';
import type { AttributionPolicy } from '../src/domain/programs/schema.ts';

/** Long before everything that tests tell of. */
export const FOUNDED_AT = '2020-01-01T00:00:00.000Z';

const made = { createdAt: FOUNDED_AT, updatedAt: FOUNDED_AT, projectId: 'prj' };

/** A referral Program, active ever since, that gives nothing. */
export function aProgram(changes: Partial<BookedProgram> = {}): BookedProgram {
  return {
    id: 'prg',
    kind: 'referral',
    startDate: null,
    endDate: null,
    intervals: [{ status: 'active', startsAt: FOUNDED_AT, endsAt: null }],
    policies: [aPolicy()],
    riskPolicies: [],
    rules: [],
    daysFrom: null,
    delivery: DEFAULT_DELIVERY,
    ...changes,
  };
}

export function aPolicy(changes: Partial<AttributionPolicy> = {}): AttributionPolicy {
  return {
    id: 'pol',
    ...made,
    programId: 'prg',
    version: 1,
    model: 'last_touch',
    windowDays: 90,
    bindingTrigger: 'signup',
    effectiveAt: FOUNDED_AT,
    author: 'key:key',
    ...changes,
  };
}

/** In effect ever since. */
export function aRiskPolicy(changes: Partial<RiskPolicyVersion> = {}): RiskPolicyVersion {
  return {
    id: 'rkp',
    ...made,
    programId: 'prg',
    version: 1,
    ...DEFAULT_RISK_POLICY,
    effectiveAt: FOUNDED_AT,
    author: 'key:key',
    ...changes,
  };
}

/** For the referrer of a purchase. */
export function aRule(
  terms: readonly TermsVersion[],
  changes: Partial<BookedRule> = {},
): BookedRule {
  return {
    id: 'rul',
    ...made,
    programId: 'prg',
    eventType: 'purchase',
    beneficiaryRole: 'referrer',
    purpose: 'primary',
    key: 'thanks',
    name: 'Thanks',
    initialEffectiveAt: FOUNDED_AT,
    terms,
    ...changes,
  };
}

/** Ten dollars, once. */
export function someTerms(changes: Partial<TermsVersion> = {}): TermsVersion {
  return {
    id: 'trm',
    projectId: 'prj',
    ruleId: 'rul',
    programId: 'prg',
    version: 1,
    beneficiaryRole: 'referrer',
    benefitKind: 'cash',
    calculation: 'fixed',
    fixedAmountMinor: 1_000n,
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
    effectiveAt: FOUNDED_AT,
    changeNote: null,
    author: 'key:key',
    publishedAt: FOUNDED_AT,
    ...changes,
  };
}

/** So much when the measure is reached. */
export function milestoneTerms(
  measure: Measure,
  at: number,
  changes: Partial<TermsVersion> = {},
): TermsVersion {
  const milestone = { measure, at: BigInt(at), repeat: false };
  return someTerms({ calculation: 'milestone', milestone, ...changes });
}

/** A share of the purchase that grows: `[[0, 1000], [5, 2000]]` is 20 % from the fifth on. */
export function tieredTerms(
  measure: Measure,
  steps: readonly (readonly [from: number, rateBps: number])[],
  changes: Partial<TermsVersion> & { readonly window?: MeasureWindow } = {},
): TermsVersion {
  const { window = 'all_time', ...more } = changes;
  const tiers = {
    measure,
    window,
    steps: steps.map(([from, rateBps]) => ({
      from: BigInt(from),
      rateBps,
      fixedAmountMinor: null,
      quantity: null,
    })),
  };
  return percentTerms(steps[0]?.[1] ?? 1, { durationMode: 'forever', tiers, ...more });
}

/** A share of the purchase. */
export function percentTerms(rateBps: number, changes: Partial<TermsVersion> = {}): TermsVersion {
  return someTerms({
    calculation: 'percentage',
    rateBps,
    fixedAmountMinor: null,
    currency: null,
    currencyExponent: null,
    ...changes,
  });
}

const noMoney = { fixedAmountMinor: null, currency: null, currencyExponent: null };

export function discountTerms(changes: Partial<TermsVersion> = {}): TermsVersion {
  return percentTerms(2_000, { benefitKind: 'discount', ...changes });
}

export const STORAGE = { id: 'unit', key: 'gigabyte', name: 'gigabyte', namePlural: 'gigabytes' };

export function customTerms(changes: Partial<TermsVersion> = {}): TermsVersion {
  return someTerms({
    benefitKind: 'custom',
    ...noMoney,
    unit: STORAGE,
    quantity: 5,
    validityDays: 30,
    ...changes,
  });
}
