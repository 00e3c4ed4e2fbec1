import {
  DEFAULT_RISK_POLICY,
  type RiskChoice,
} from '../../../domain/programs/policies/risk-policy.ts';
import type { ProgramBook } from '../../../domain/programs/program-book.ts';
import { judgeRisk } from '../../../domain/risk/decide/judge-risk.ts';
import {
  type PinnedVerdict,
  RISK_MODEL,
  unpackFacts,
} from '../../../domain/risk/decide/risk-facts.ts';
import { type Difference, difference } from '../findings.ts';

/** A score follows from the facts and the policy that are stored with it. */
export function checkVerdict(
  eventId: string,
  stored: PinnedVerdict,
  book: ProgramBook,
): Difference[] {
  // Another version of the signals gave another score.
  if (stored.model !== RISK_MODEL) return [];
  const policy = policyOf(book, stored.policyVersionId);
  if (!policy)
    return [difference(['event', eventId], 'risk policy', stored.policyVersionId, 'one')];
  const facts = unpackFacts(stored.facts);
  const { mode, reviewAt } = policy;
  const expected = { mode, reviewAt, ...judgeRisk(facts, policy) };
  const found = {
    mode: stored.mode,
    reviewAt: stored.reviewAt,
    score: stored.score,
    signals: stored.signals,
  };
  const [is, must] = [found, expected].map((one) => JSON.stringify(one));
  return is === must ? [] : [difference(['event', eventId], 'risk', is ?? null, must ?? null)];
}

function policyOf({ programs }: ProgramBook, id: string | null): RiskChoice | undefined {
  if (id === null) return DEFAULT_RISK_POLICY;
  return [...programs.values()]
    .flatMap(({ riskPolicies }) => riskPolicies)
    .find((policy) => policy.id === id);
}
