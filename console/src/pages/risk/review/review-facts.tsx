import { Text, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useProject } from '../../../app/project.ts';
import { useMay } from '../../../app/session.ts';
import { Author } from '../../../ui/author.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { IdText } from '../../../ui/id-text.tsx';
import { Section } from '../../../ui/section.tsx';
import { ThingLink } from '../../../ui/thing-link.tsx';
import { When } from '../../../ui/when.tsx';
import { ProgramLink } from '../../people/names.tsx';
import { type ReviewDetail, riskPoliciesQuery } from '../queries.ts';

/** Its history, and what it is about. */
export function ReviewFacts({ review }: { review: ReviewDetail }) {
  const { id: projectId } = useProject();
  const { programId, policyVersionId, status, decidedAt, decidedBy, note } = review;
  const { data } = useQuery({
    ...riskPoliciesQuery(projectId, programId),
    enabled: useMay('programs:read'),
  });
  const policy = data?.data.find(({ id }) => id === policyVersionId);
  return (
    <>
      <Section title="History">
        <Timeline bulletSize={14} lineWidth={2} active={decidedAt ? 1 : 0}>
          <Timeline.Item title="Opened">
            <Text size="sm">
              <When at={review.openedAt} />, with a score of {review.score}
            </Text>
            <Text size="sm">
              <ThingLink type="event" id={review.eventId}>
                The event that was judged
              </ThingLink>
            </Text>
          </Timeline.Item>
          {decidedAt && decidedBy && (
            <Timeline.Item title={status === 'approved' ? 'Approved' : 'Rejected'}>
              <Text size="sm">
                <When at={decidedAt} /> by <Author by={decidedBy} />
              </Text>
              {note && <blockquote className="review-note">{note}</blockquote>}
            </Timeline.Item>
          )}
        </Timeline>
      </Section>
      <Section title="About">
        <Facts
          rows={[
            [
              'Referral',
              <ThingLink key="r" type="referral" id={review.referralId}>
                How it was bound
              </ThingLink>,
            ],
            ['Program', <ProgramLink key="p" id={programId} />],
            [
              'Policy',
              policy ? `Version ${policy.version}` : <IdText key="v" value={policyVersionId} />,
            ],
            ['Id', <IdText key="i" value={review.id} />],
          ]}
        />
      </Section>
    </>
  );
}
