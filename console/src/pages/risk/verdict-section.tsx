import { Text } from '@mantine/core';
import { Section } from '../../ui/section.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { FiredSignals, Score } from './signals.tsx';
import { consequenceSentence, scoreSentence, type Verdict } from './words/verdict-words.ts';

interface VerdictSectionProps {
  readonly verdict: Verdict;
  readonly title?: string;
  /** A referral of a dry run does not exist, so it is not linked. */
  readonly isDryRun?: boolean;
}

/** How a referral was judged: the score as a sentence, and each signal that fired. */
export function VerdictSection({ verdict, title = 'Risk', isDryRun }: VerdictSectionProps) {
  const { reviewId, signals } = verdict;
  return (
    <Section title={title} actions={<Score {...verdict} />}>
      <Text>
        {scoreSentence(verdict)} {consequenceSentence(verdict)}{' '}
        {reviewId && !isDryRun && (
          <ThingLink type="risk_review" id={reviewId}>
            See the review
          </ThingLink>
        )}
      </Text>
      {signals.length > 0 && <FiredSignals signals={signals} />}
    </Section>
  );
}
