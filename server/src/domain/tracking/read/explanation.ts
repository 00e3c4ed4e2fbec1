import Type, { type Static } from 'typebox';
import { InstantOut, Nullable, OneOf } from '../../../platform/kit/schema.ts';
import { type JudgedCandidate, REJECT_REASONS } from '../../attribution/decide-attribution.ts';
import { BENEFICIARY_ROLES, ROUNDING_POLICIES } from '../../programs/rules/benefit-words.ts';
import { Condition } from '../../programs/schema.ts';
import type { Arithmetic } from '../../rewards/decide/calculate-reward.ts';
import { SKIP_REASONS } from '../../rewards/decide/earn-rewards.ts';
import { PinnedMilestone, PinnedStep } from '../../rewards/schema.ts';
import { presentVerdict } from '../../risk/decide/explain-signal.ts';
import type { PinnedVerdict } from '../../risk/decide/risk-facts.ts';
import { RiskVerdict } from '../../risk/schema.ts';

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

const UnmetCondition = Type.Object(
  {
    ...Condition.properties,
    found: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
      description: 'The value of the Event; null if it lacks the field.',
    }),
  },
  { title: 'UnmetCondition', description: 'The condition for which the rule gave nothing.' },
);

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
        isRegained: Type.Boolean({
          description:
            'Whether an earlier Event had earned the Reward of this milestone, and a refund or a rejected referral had lost it.',
        }),
        calculation: Nullable(
          Type.Object({
            base: Nullable(Type.String()),
            rateBps: Nullable(Type.Integer()),
            rounding: Nullable(OneOf(ROUNDING_POLICIES)),
            result: Type.String(),
          }),
        ),
        condition: Nullable(UnmetCondition),
        tier: Nullable(PinnedStep),
        milestone: Nullable(PinnedMilestone),
      }),
    ),
    risk: Type.Union([RiskVerdict, Type.Null()], {
      description:
        'How the referral was judged: when the Event has bound it, or has earned something for it. Null if it was not.',
    }),
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
  readonly risk?: PinnedVerdict;
}

/** Explanations of earlier versions lack what terms have gained since. */
function presentRule(stored: object): Explanation['rules'][number] {
  const rule = stored as Explanation['rules'][number] & { readonly calculation: Arithmetic | null };
  const { tier = null, milestone = null, ...calculation } = rule.calculation ?? {};
  return {
    ...rule,
    isRegained: rule.isRegained ?? false,
    calculation: rule.calculation && (calculation as Explanation['rules'][number]['calculation']),
    condition: rule.condition ?? null,
    tier,
    milestone: rule.milestone ?? milestone,
  };
}

/** Empty while an Event waits. */
export function presentExplanation(explanation: StoredExplanation | null): Explanation {
  const { candidates, rules, risk } = explanation ?? { candidates: [], rules: [] };
  return {
    candidates: candidates.map(presentCandidate),
    rules: rules.map(presentRule),
    risk: risk ? presentVerdict(risk) : null,
  };
}
