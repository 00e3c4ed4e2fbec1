import Type, { type Static } from 'typebox';
import { InstantOut, Nullable, OneOf } from '../../../platform/kit/schema.ts';
import { type JudgedCandidate, REJECT_REASONS } from '../../attribution/decide-attribution.ts';
import { BENEFICIARY_ROLES, ROUNDING_POLICIES } from '../../programs/rules/benefit-words.ts';
import { SKIP_REASONS } from '../../rewards/decide/earn-rewards.ts';

export const Candidate = Type.Object(
  {
    touchId: Type.String(),
    programId: Type.String(),
    referrer: Type.String({ description: 'The participant who would be the referrer.' }),
    occurredAt: InstantOut,
    verdict: OneOf(['selected', 'rejected']),
    reason: Nullable(OneOf(REJECT_REASONS)),
  },
  { title: 'Candidate' },
);
export type Candidate = Static<typeof Candidate>;

export const Explanation = Type.Object(
  {
    candidates: Type.Array(Candidate),
    rules: Type.Array(
      Type.Object({
        ruleId: Type.String(),
        termsVersionId: Nullable(Type.String()),
        beneficiaryRole: OneOf(BENEFICIARY_ROLES),
        verdict: OneOf(['earned', 'skipped']),
        reason: Nullable(OneOf(SKIP_REASONS)),
        rewardId: Nullable(Type.String()),
        calculation: Nullable(
          Type.Object({
            base: Nullable(Type.String()),
            rateBps: Nullable(Type.Integer()),
            rounding: Nullable(OneOf(ROUNDING_POLICIES)),
            result: Type.String(),
          }),
        ),
      }),
    ),
  },
  { title: 'Explanation' },
);
export type Explanation = Static<typeof Explanation>;

export function presentCandidate(judged: JudgedCandidate): Candidate {
  return {
    touchId: judged.touchId,
    programId: judged.programId,
    referrer: judged.referrerParticipantId,
    occurredAt: judged.occurredAt,
    verdict: judged.verdict,
    reason: judged.reason,
  };
}

/** As stored with an Event. */
interface StoredExplanation {
  readonly candidates: readonly JudgedCandidate[];
  readonly rules: readonly object[];
}

/** Empty while an Event waits. */
export function presentExplanation(explanation: StoredExplanation | null): Explanation {
  const { candidates, rules } = explanation ?? { candidates: [], rules: [] };
  return {
    candidates: candidates.map(presentCandidate),
    rules: rules as Explanation['rules'],
  };
}
