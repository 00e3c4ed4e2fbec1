import { figureKey, REFERRED } from '../../../platform/figures/tally.ts';
import { DEFAULT_RISK_POLICY } from '../../programs/policies/risk-policy.ts';
import { versionAt } from '../../programs/program-book.ts';
import { gatherFacts } from '../../risk/decide/gather-facts.ts';
import { judgeRisk } from '../../risk/decide/judge-risk.ts';
import { type PinnedVerdict, packFacts, RISK_MODEL } from '../../risk/decide/risk-facts.ts';
import type { JudgedFacts } from '../../risk/risk-slice.ts';
import type { ExplainedRule, Explanation, TrackedEvent } from '../batch/facts.ts';
import type { Ledger, LedgerView } from '../batch/ledger.ts';
import { REFUNDED } from '../batch/measures.ts';
import type { Referral } from '../event-schema.ts';
import { openReview } from './open-review.ts';

interface Judging {
  readonly referral: Referral;
  /** What the rules of its Program gave for the Event. */
  readonly rules: readonly ExplainedRule[];
  /** Whether the Event has bound it. */
  readonly isNew: boolean;
}

/**
 * Judges a referral when it is new, and whenever it earns something; opens its review if the policy asks for one. Null if
 * there is nothing to judge. Call it before the Rewards of the Event are announced.
 */
export function judgeReferral(
  ledger: Ledger,
  event: TrackedEvent,
  { referral, rules, isNew }: Judging,
): PinnedVerdict | null {
  const { view } = ledger;
  if (!isNew && !rules.some(({ verdict }) => verdict === 'earned')) return null;
  const versions = view.book.programs.get(referral.programId)?.riskPolicies ?? [];
  const version = versionAt(versions, event.occurredAt);
  const policy = version ?? DEFAULT_RISK_POLICY;
  const judged = policy.mode === 'off' ? null : factsFor(view, event, referral);
  if (!judged) return null;
  const { score, signals } = judgeRisk(judged.facts, policy);
  const verdict: PinnedVerdict = {
    referralId: referral.id,
    policyVersionId: version?.id ?? null,
    mode: policy.mode,
    reviewAt: policy.reviewAt,
    score,
    signals,
    facts: judged.packed,
    model: RISK_MODEL,
  };
  const reviewId = openReview(ledger, event, referral, verdict);
  return reviewId === null ? verdict : { ...verdict, reviewId };
}

export function explain(
  candidates: Explanation['candidates'],
  rules: Explanation['rules'],
  risk: PinnedVerdict | null,
): Explanation {
  return risk ? { candidates, rules, risk } : { candidates, rules };
}

/** An Event that is decided again has the facts of its time: some of what they come from is not kept. */
function factsFor(
  view: LedgerView,
  { id }: Pick<TrackedEvent, 'id'>,
  referral: Referral,
): Pick<JudgedFacts, 'facts' | 'packed'> | null {
  const judged = view.risk.judged?.get(id);
  if (judged === 'forgotten') return null;
  const isOfReferrer = judged?.referrerId === referral.referrerParticipantId;
  return isOfReferrer ? judged : gather(view, referral);
}

function gather(view: LedgerView, referral: Referral) {
  const facts = factsOf(view, referral);
  return facts && { facts, packed: packFacts(facts) };
}

function factsOf(view: LedgerView, referral: Referral) {
  const { referrerParticipantId, refereeParticipantId, programId } = referral;
  const referrer = view.people.get(referrerParticipantId);
  const referee = view.people.get(refereeParticipantId);
  if (!referrer || !referee) return null;
  const read = (part: string, name: string) =>
    Number(view.figures.get(figureKey({ subject: referrer.id, part, name }))?.value ?? 0n);
  const refunded = read(programId, REFUNDED);
  return gatherFacts(view.risk, {
    boundAt: referral.bindingOccurredAt,
    referrer,
    referee,
    referred: read('', REFERRED),
    clickNetworks: (view.touchesOf.get(referee.id) ?? []).flatMap((one) => one.networkHash ?? []),
    purchases: read(programId, 'purchases') + refunded,
    refundedPurchases: refunded,
    referrerOf: (id) => view.referrals.get(id)?.referrerParticipantId,
  });
}
