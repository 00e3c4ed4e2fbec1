import { DEFAULT_DELIVERY, methodOptions } from './delivery-methods.ts';
import { DEFAULT_POLICY } from './policies/attribution-policy.ts';
import { DEFAULT_CONFIG } from './program-config.ts';

/** Examples for the API reference. */
const at = '2026-11-15T09:30:00.000Z';
const stamps = { createdAt: at, updatedAt: at, projectId: 'prj_01ka3m…' };

export const programExample = {
  id: 'prg_01ka3m…',
  ...stamps,
  kind: 'referral',
  key: 'invite-a-friend',
  name: 'Invite a friend',
  status: 'draft',
  startDate: null,
  endDate: null,
  config: {
    ...DEFAULT_CONFIG,
    brandConfig: { primaryColor: '#4F46E5', landingPageUrl: 'https://example.com/welcome' },
  },
};

export const policyExample = {
  id: 'pol_01ka3m…',
  ...stamps,
  programId: programExample.id,
  version: 1,
  ...DEFAULT_POLICY,
  effectiveAt: at,
  author: 'key:key_01ka3m…',
};

export const deliveryExample = {
  programId: programExample.id,
  ...DEFAULT_DELIVERY,
  holdDays: 14,
  cashMethod: 'payout',
  planUpgrades: [{ unitKey: 'pro_month', plan: 'pro', periods: 1 }],
  options: methodOptions([]),
  updatedAt: at,
};

export const ruleExample = {
  id: 'rul_01ka3m…',
  ...stamps,
  programId: programExample.id,
  eventType: 'purchase',
  beneficiaryRole: 'referrer',
  purpose: 'primary',
  key: 'first-purchase',
  name: 'Ten dollars for each first purchase',
  initialEffectiveAt: at,
};

export const termsBodyExample = {
  benefitKind: 'cash',
  calculation: 'fixed',
  fixedAmountMinor: '1000',
  currency: 'USD',
  currencyExponent: 2,
  changeNote: 'Launch terms',
};

export const termsExample = {
  id: 'trm_01ka3m…',
  ...stamps,
  ruleId: ruleExample.id,
  programId: programExample.id,
  beneficiaryRole: 'referrer',
  version: 1,
  publishedAt: at,
  effectiveAt: at,
  enabled: true,
  ...termsBodyExample,
  rateBps: null,
  durationMode: 'once',
  durationMonths: null,
  customUnitId: null,
  unit: null,
  quantity: null,
  validityDays: null,
  maxRewardsPerBeneficiary: null,
  conditions: null,
  tiers: null,
  milestone: null,
  roundingPolicy: 'half_up',
  refundPolicy: 'proportional',
  author: 'key:key_01ka3m…',
};
