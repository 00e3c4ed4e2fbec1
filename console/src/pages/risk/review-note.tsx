import { Alert, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ShieldAlertIcon } from 'lucide-react';
import { useProject } from '../../app/project.ts';
import { ThingLink } from '../../ui/thing-link.tsx';
import { explanationQuery } from '../people/queries.ts';
import { reviewOfQuery } from './queries.ts';

/** On the page of a reward that is held by a review: why, and the way to the review. */
export function RewardReviewNote({ eventId }: { eventId: string }) {
  const { id: projectId } = useProject();
  const { data } = useQuery(explanationQuery(projectId, eventId));
  const referralId = data?.risk?.referralId;
  const { data: review } = useQuery({
    ...reviewOfQuery(projectId, referralId ?? ''),
    enabled: referralId !== undefined,
  });
  return (
    <Alert color="orange" icon={<ShieldAlertIcon />} title="Being checked">
      <Text size="sm">
        The referral behind it has a high risk score. It is neither granted nor paid until somebody
        has decided.{' '}
        {review && (
          <ThingLink type="risk_review" id={review.id}>
            See the review
          </ThingLink>
        )}
      </Text>
    </Alert>
  );
}
