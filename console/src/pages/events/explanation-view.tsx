import { Text } from '@mantine/core';
import '../people/people.css';
import { PersonInline } from '../../ui/person-cell.tsx';
import { Section } from '../../ui/section.tsx';
import { shortId } from '../../ui/short-id.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { When } from '../../ui/when.tsx';
import type { PurchaseFacts } from '../people/event-words.ts';
import { ProgramLink } from '../people/names.tsx';
import { type Explanation, useRules, useTerms } from '../people/queries.ts';
import { unmetSentence } from '../programs/terms/conditions/condition-phrase.ts';
import { roleName } from '../rewards/reward-filters.ts';
import { VerdictSection } from '../risk/verdict-section.tsx';
import { arithmeticSteps } from './arithmetic.ts';
import { missingSentence } from './measured-words.ts';
import { wordCandidate, wordRule } from './reasons.ts';

interface ExplanationViewProps {
  readonly explanation: Explanation;
  readonly type: string;
  readonly purchase: PurchaseFacts | null;
  /** Rewards of a dry run do not exist, so they are not linked. */
  readonly isDryRun?: boolean;
}

/** Everything that was considered: each candidate, each rule, and the arithmetic. */
export function ExplanationView(props: ExplanationViewProps) {
  const { explanation, type, purchase, isDryRun = false } = props;
  const { candidates, rules, risk } = explanation;
  return (
    <>
      {type === 'signup' && (
        <Section
          title="Who referred them"
          intro="Every click and code that could have caused this signup, and the verdict on each."
        >
          {candidates.length === 0 ? (
            <Text c="dimmed">No click and no valid code led here.</Text>
          ) : (
            <ul className="verdicts" aria-label="Candidates">
              {candidates.toSorted(winnerFirst).map((candidate) => (
                <CandidateVerdict key={candidate.touchId} candidate={candidate} />
              ))}
            </ul>
          )}
        </Section>
      )}
      {risk && <VerdictSection verdict={risk} title="Risk of the referral" isDryRun={isDryRun} />}
      <Section
        title="What the rules gave"
        intro="Every rule for this type of event: of the referral’s program, and of each active loyalty program."
      >
        {rules.length === 0 ? (
          <Text c="dimmed">
            No rule applied: none of these programs has a rule for this type of event.
          </Text>
        ) : (
          <ul className="verdicts" aria-label="Rules">
            {rules.map((rule) => (
              <RuleVerdict
                key={`${rule.ruleId} ${rule.rewardId} ${rule.milestone?.multiple}`}
                rule={rule}
                type={type}
                purchase={purchase}
                isDryRun={isDryRun}
              />
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

type Candidate = Explanation['candidates'][number];

const winnerFirst = (one: Candidate, other: Candidate) =>
  Number(other.verdict === 'selected') - Number(one.verdict === 'selected');

function CandidateVerdict({ candidate }: { candidate: Candidate }) {
  const { verdict, reason, referrer, programId, occurredAt } = candidate;
  const { label, sentence } = wordCandidate(verdict, reason);
  const hasWon = verdict === 'selected';
  return (
    <li className="verdict" data-won={hasWon || undefined}>
      <div className="verdict-head">
        <StatusBadge tone={hasWon ? 'good' : 'over'} label={label} />
        <Text span fw={600}>
          <PersonInline id={referrer} />
        </Text>
      </div>
      <p>{sentence}</p>
      <div className="verdict-about">
        <span>
          Program <ProgramLink id={programId} />
        </span>
        <span>
          Clicked or typed <When at={occurredAt} />
        </span>
      </div>
    </li>
  );
}

interface RuleVerdictProps {
  readonly rule: Explanation['rules'][number];
  readonly type: string;
  readonly purchase: PurchaseFacts | null;
  readonly isDryRun: boolean;
}

function RuleVerdict({ rule, type, purchase, isDryRun }: RuleVerdictProps) {
  const { ruleId, termsVersionId, verdict, reason, beneficiaryRole, rewardId, calculation } = rule;
  const known = useRules().get(ruleId);
  const terms = useTerms(ruleId, termsVersionId);
  const { label, sentence } = wordRule(verdict, reason);
  const hasEarned = verdict === 'earned';
  const { condition, tier, milestone } = rule;
  const currency = terms?.currency ?? null;
  return (
    <li className="verdict" data-won={hasEarned || undefined}>
      <div className="verdict-head">
        <StatusBadge tone={hasEarned ? 'good' : 'over'} label={label} />
        <Text span fw={600}>
          {known?.name ?? <code title={ruleId}>{shortId(ruleId)}</code>}
        </Text>
      </div>
      <p>{condition ? unmetSentence(condition, purchase?.currency ?? null) : sentence}</p>
      {rule.isRegained && (
        <p>
          This milestone was earned before and lost by a refund or a rejected referral. The same
          reward is due again.
        </p>
      )}
      {milestone && !hasEarned && <p>{missingSentence(milestone, currency)}</p>}
      {calculation && (
        <dl className="steps">
          {arithmeticSteps(calculation, terms ?? null, purchase, {
            tier,
            milestone,
            eventType: type,
          }).map((step) => [
            <dt key={`${step.label} name`} data-total={step.label === 'Reward' || undefined}>
              {step.label}
            </dt>,
            <dd key={step.label} data-total={step.label === 'Reward' || undefined}>
              {step.value}
            </dd>,
          ])}
        </dl>
      )}
      <div className="verdict-about">
        <span>For the {roleName(beneficiaryRole)}</span>
        {known && (
          <span>
            Program <ProgramLink id={known.programId} />
          </span>
        )}
        {terms && <span>Terms version {terms.version}</span>}
        {rewardId && !isDryRun && (
          <ThingLink type="reward" id={rewardId}>
            See the reward
          </ThingLink>
        )}
      </div>
    </li>
  );
}
