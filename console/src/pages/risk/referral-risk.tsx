import { useQuery } from '@tanstack/react-query';
import { useProject } from '../../app/project.ts';
import { Section } from '../../ui/section.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { explanationQuery, type Referral } from '../people/queries.ts';
import { reviewOfQuery } from './queries.ts';
import { FiredSignals, ReviewBadge, stateSentence } from './signals.tsx';
import { VerdictSection } from './verdict-section.tsx';

/** How a referral was judged: by its review if it has one, otherwise when it was bound. */
export function ReferralRisk({ referral }: { referral: Referral }) {
  const { id: projectId } = useProject();
  const { bindingEventId } = referral;
  const { data: review } = useQuery(reviewOfQuery(projectId, referral.id));
  const { data: explanation } = useQuery({
    ...explanationQuery(projectId, bindingEventId ?? ''),
    enabled: review === null && bindingEventId !== null,
  });
  if (review) {
    return (
      <Section
        title="Risk"
        aside={<ReviewBadge status={review.status} />}
        intro={`Sent to review with a score of ${review.score}. ${stateSentence(review.status)}`}
        actions={
          <ThingLink type="risk_review" id={review.id}>
            See the review
          </ThingLink>
        }
      >
        <FiredSignals signals={review.signals} />
      </Section>
    );
  }
  const verdict = explanation?.risk;
  return verdict ? <VerdictSection verdict={verdict} /> : null;
}
