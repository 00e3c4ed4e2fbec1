import type { Queryable } from '../../../platform/db/driver.ts';
import type { Party } from '../../../platform/feed/render-event.ts';
import { notFound } from '../../../platform/kit/errors.ts';
import { findParties } from '../../participants/queries.ts';
import type { ParticipantKind } from '../../participants/schema.ts';
import {
  type AskedRisk,
  chooseRisk,
  RISK_SIGNALS,
  type RiskChoice,
} from '../../programs/policies/risk-policy.ts';
import { findProgramRow } from '../../programs/queries.ts';
import { judgeRisk } from '../../risk/decide/judge-risk.ts';
import { unpackFacts } from '../../risk/decide/risk-facts.ts';
import type { RiskPreview } from '../../risk/schema.ts';
import { type JudgedRow, listJudged } from './judged-store.ts';

/** The newest referrals that a preview reads, in pages. */
export const PREVIEW_MAX = 10_000;
const PAGE = 500;
const EXAMPLES_MAX = 20;

/** What a policy would have done with the kept facts of a Program's referrals. Fails with NOT_FOUND. */
export async function previewRisk(
  db: Queryable,
  { projectId, programId }: { readonly projectId: string; readonly programId: string },
  asked: AskedRisk,
): Promise<RiskPreview> {
  const program = await findProgramRow(db, projectId, programId);
  if (!program) throw notFound('program');
  const policy = chooseRisk(asked);
  const counts = new Map(RISK_SIGNALS.map((signal) => [signal, 0]));
  const reviewed: (JudgedRow & { readonly score: number })[] = [];
  let judged = 0;
  let before: string | null = null;
  for (let read = 0; read < PREVIEW_MAX; read += PAGE) {
    const page: JudgedRow[] = await listJudged(db, projectId, programId, before, PAGE);
    for (const row of page) {
      const found = judgeRow(row, policy);
      if (!found) continue;
      judged += 1;
      for (const signal of found.signals) counts.set(signal, (counts.get(signal) ?? 0) + 1);
      if (policy.mode === 'review' && found.score >= policy.reviewAt) {
        reviewed.push({ ...row, score: found.score });
      }
    }
    before = page.at(-1)?.referralId ?? null;
    if (page.length < PAGE) break;
  }
  const shown = reviewed.slice(0, EXAMPLES_MAX);
  const parties = await findParties(
    db,
    projectId,
    shown.flatMap(({ referrerId, refereeId }) => [referrerId, refereeId]),
  );
  return {
    judged,
    reviewed: reviewed.length,
    bySignal: RISK_SIGNALS.map((signal) => ({ signal, count: counts.get(signal) ?? 0 })),
    examples: shown.flatMap(({ referralId, referrerId, refereeId, score }) => {
      const [referrer, referee] = [referrerId, refereeId].map((id) => parties.get(id));
      return referrer && referee
        ? [{ referralId, referrer: present(referrer), referee: present(referee), score }]
        : [];
    }),
  };
}

function present(party: Party) {
  return { ...party, kind: party.kind as ParticipantKind };
}

/** The highest score of the Events of a referral, and all signals of any; null if none was judged. */
function judgeRow({ facts }: JudgedRow, policy: RiskChoice) {
  const judgements = facts.flatMap((one) => (one ? [judgeRisk(unpackFacts(one), policy)] : []));
  if (judgements.length === 0) return null;
  return {
    score: Math.max(...judgements.map(({ score }) => score)),
    signals: new Set(judgements.flatMap(({ signals }) => signals.map(({ signal }) => signal))),
  };
}
