import { DEFAULT_DELIVERY } from '../src/domain/programs/delivery-methods.ts';
import type { TermsVersion } from '../src/domain/programs/program-book.ts';
import { calculateReward } from '../src/domain/rewards/decide/calculate-reward.ts';
import { makeReward } from '../src/domain/rewards/decide/earn-rewards.ts';
import { type RewardRow, withDelivery } from '../src/domain/rewards/reward.ts';
import { aRule, customTerms, discountTerms, someTerms } from './program-book.ts';

export const EARNED_AT = '2026-11-15T09:30:00.000Z';

const TERMS: Readonly<Record<RewardRow['benefitKind'], TermsVersion>> = {
  cash: someTerms(),
  credit: someTerms({ benefitKind: 'credit' }),
  discount: discountTerms(),
  custom: customTerms(),
};

/** A Reward as it is right after it was earned, but for the changes. */
export function aReward(
  benefitKind: RewardRow['benefitKind'],
  changes: Partial<RewardRow> = {},
): RewardRow {
  const terms = TERMS[benefitKind];
  const calculated = calculateReward(terms, null);
  if ('skipped' in calculated) throw new Error(calculated.skipped);
  const row = makeReward(
    { projectId: 'prj', now: EARNED_AT, newId: (prefix) => `${prefix}_new` },
    { verdict: 'earned', rule: aRule([terms]), terms, beneficiaryId: 'par', ...calculated },
    {
      number: 1,
      programId: 'prg',
      eventId: 'evt',
      referralId: null,
      isUnderReview: false,
      purchaseId: null,
      signupPersonId: null,
      delivery: DEFAULT_DELIVERY,
    },
  );
  return withDelivery({ ...row, ...changes }, EARNED_AT);
}
