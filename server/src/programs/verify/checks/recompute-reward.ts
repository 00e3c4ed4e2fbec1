import type { TermsVersion } from '../../../domain/programs/book/program-book.ts';
import {
  type Calculated,
  calculateReward,
  type RewardBase,
} from '../../../domain/rewards/decide/calculate-reward.ts';
import { benefitFields } from '../../../domain/rewards/decide/make-reward.ts';
import { type Difference, difference, differencesOf } from '../finding.ts';
import type { AuditedBase, AuditedReward } from '../stores/fact-store.ts';
import { isCreditedFor } from './is-credited-for.ts';

/** Recomputes a reward from its pinned terms and the event that earned it (D-RECALC-1). */
export function recomputeReward(reward: AuditedReward, terms: TermsVersion): Difference[] {
  const { id, event, purchase } = reward;
  const pinned = differencesOf('reward', id, reward, {
    programId: terms.programId,
    ruleId: terms.ruleId,
    beneficiaryRole: terms.beneficiaryRole,
    benefitKind: terms.benefitKind,
    ...(event && { purchaseId: purchase?.id ?? null }),
  });
  return [...pinned, ...recomputeBenefit(reward, terms), ...checkParties(reward, terms)];
}

function recomputeBenefit(reward: AuditedReward, terms: TermsVersion): Difference[] {
  const { id, purchase } = reward;
  if (purchase?.duplicateOf) {
    return [
      difference('reward', id, 'purchaseId', {
        stored: purchase.id,
        expected: 'no invoice told again',
      }),
    ];
  }
  const computed: Calculated = calculateReward(terms, purchase && toBase(purchase));
  if ('skipped' in computed) {
    return [
      difference('reward', id, 'amountMinor', {
        stored: reward.amountMinor,
        expected: computed.skipped,
      }),
    ];
  }
  return differencesOf('reward', id, reward, {
    ...benefitFields(terms, computed.money),
    arithmetic: computed.arithmetic,
  });
}

function toBase({ amountMinor, currency, currencyExponent }: AuditedBase): RewardBase {
  return { amountMinor: BigInt(amountMinor), currency, currencyExponent };
}

/**
 * The beneficiary is the one that the referral names, or in a loyalty program the event's
 * participant.
 */
function checkParties(reward: AuditedReward, terms: TermsVersion): Difference[] {
  const { id, event, referral, beneficiaryRole } = reward;
  if (beneficiaryRole === 'subject') {
    return event === null
      ? []
      : differencesOf('reward', id, reward, {
          referralId: null,
          beneficiaryParticipantId: event.participantId,
        });
  }
  if (referral === null) {
    const isNamed = reward.referralId !== null;
    return isNamed
      ? []
      : [
          difference('reward', id, 'referralId', {
            stored: null,
            expected: 'the id of a referral',
          }),
        ];
  }
  const found = differencesOf('reward', id, reward, {
    beneficiaryParticipantId: referral[beneficiaryRole],
  });
  if (referral.programId !== terms.programId) {
    found.push(
      difference('reward', id, 'referral', {
        stored: referral.programId,
        expected: terms.programId,
      }),
    );
  }
  if (event !== null && !isCreditedFor(event, referral.referee)) {
    found.push(
      difference('reward', id, 'event', {
        stored: event.participantId,
        expected: referral.referee,
      }),
    );
  }
  return found;
}
