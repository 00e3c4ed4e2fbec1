import type { ProgramKind } from '../program-status.ts';

export const BENEFICIARY_ROLES = ['referrer', 'referee', 'subject'] as const;
type BeneficiaryRole = (typeof BENEFICIARY_ROLES)[number];
export const PURPOSES = ['primary', 'bonus'] as const;
export const BENEFIT_KINDS = ['cash', 'credit', 'discount', 'custom'] as const;
export type BenefitKind = (typeof BENEFIT_KINDS)[number];
export const CALCULATIONS = ['fixed', 'percentage', 'milestone'] as const;
export type Calculation = (typeof CALCULATIONS)[number];
export const DURATION_MODES = ['once', 'months', 'forever'] as const;
export type DurationMode = (typeof DURATION_MODES)[number];
export const ROUNDING_POLICIES = ['half_up', 'half_even', 'down', 'up'] as const;
export type RoundingPolicy = (typeof ROUNDING_POLICIES)[number];
export const REFUND_POLICIES = ['proportional', 'full', 'none'] as const;
export type RefundPolicy = (typeof REFUND_POLICIES)[number];

/** Who can be rewarded: a referral has two sides, loyalty only the person who acts. */
export const ROLES_BY_KIND: Readonly<Record<ProgramKind, readonly BeneficiaryRole[]>> = {
  referral: ['referrer', 'referee'],
  affiliate: ['referrer', 'referee'],
  loyalty: ['subject'],
};
