import { Badge, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRightIcon, CircleCheckIcon } from 'lucide-react';
import { attentionQuery, type Matter } from '../../app/attention.ts';
import { useProject } from '../../app/project.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';

interface Place {
  /** Singular and plural: "reward to grant", "rewards to grant". */
  readonly words: readonly [string, string];
  readonly to: string;
  readonly isTrouble?: boolean;
}

const PLACES: Record<Matter['kind'], Place> = {
  rewards_to_grant: { words: ['reward to grant', 'rewards to grant'], to: '/p/$projectId/rewards' },
  rewards_to_take_back: {
    words: ['reward to take back', 'rewards to take back'],
    to: '/p/$projectId/rewards',
  },
  rewards_failed: {
    words: ['reward that could not be delivered', 'rewards that could not be delivered'],
    to: '/p/$projectId/rewards',
    isTrouble: true,
  },
  risk_reviews_open: {
    words: ['referral to review', 'referrals to review'],
    to: '/p/$projectId/reviews',
  },
  payout_batches_to_approve: {
    words: ['payout batch to approve', 'payout batches to approve'],
    to: '/p/$projectId/payouts',
  },
  payout_batches_to_submit: {
    words: ['payout batch to submit', 'payout batches to submit'],
    to: '/p/$projectId/payouts',
  },
  payouts_unanswered: {
    words: [
      'payout without an answer from its provider for a day',
      'payouts without an answer from their provider for a day',
    ],
    to: '/p/$projectId/payouts',
    isTrouble: true,
  },
  partner_applications: {
    words: ['partner application to decide', 'partner applications to decide'],
    to: '/p/$projectId/partners',
  },
  webhook_deliveries_failed: {
    words: ['webhook delivery that failed', 'webhook deliveries that failed'],
    to: '/p/$projectId/webhooks/$endpointId',
    isTrouble: true,
  },
  webhook_deliveries_retrying: {
    words: ['webhook delivery that is being retried', 'webhook deliveries that are being retried'],
    to: '/p/$projectId/webhooks/$endpointId',
    isTrouble: true,
  },
  stripe_events_parked: {
    words: ['Stripe event about an unknown customer', 'Stripe events about unknown customers'],
    to: '/p/$projectId/integrations',
  },
  events_failed: {
    words: ['event that could not be decided', 'events that could not be decided'],
    to: '/p/$projectId/events',
    isTrouble: true,
  },
};

/** Tabs of pages with more than one list. */
const TABS: Partial<Record<Matter['kind'], string>> = {
  payouts_unanswered: 'payouts',
  partner_applications: 'applications',
  webhook_deliveries_failed: 'deliveries',
  webhook_deliveries_retrying: 'deliveries',
  stripe_events_parked: 'parked',
};

/** What waits for a person, each with a link. */
export function Attention() {
  const { id: projectId } = useProject();
  const matters = useQuery(attentionQuery(projectId));
  return (
    <Section title="Waiting for you">
      {matters.isPending && <Lines count={2} />}
      {matters.isError && <ErrorState error={matters.error} retry={() => void matters.refetch()} />}
      {matters.data?.length === 0 && (
        <Group gap="xs">
          <CircleCheckIcon size={20} />
          <Text>Nothing to do right now.</Text>
        </Group>
      )}
      <Stack gap={2}>
        {matters.data?.map((matter) => (
          <MatterLink key={`${matter.kind} ${matter.endpoint?.id ?? ''}`} matter={matter} />
        ))}
      </Stack>
    </Section>
  );
}

function MatterLink({ matter }: { matter: Matter }) {
  const { id: projectId } = useProject();
  const { kind, count, isMore, list, endpoint } = matter;
  const { words, to, isTrouble } = PLACES[kind];
  const tab = TABS[kind];
  return (
    <Link
      className="matter"
      to={to}
      params={{ projectId, ...(endpoint ? { endpointId: endpoint.id } : {}) } as never}
      search={{ ...list.query, ...(tab ? { tab } : {}) } as never}
    >
      <Badge variant="light" color={isTrouble ? 'red' : 'leaf'} size="lg">
        {count}
        {isMore && '+'}
      </Badge>
      <span>
        {words[count === 1 && !isMore ? 0 : 1]}
        {endpoint && ` (${endpoint.url})`}
      </span>
      <ChevronRightIcon size={16} />
    </Link>
  );
}
