import { Alert, Button, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { RefreshCwIcon } from 'lucide-react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { MissingPage } from '../../ui/missing-page.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Page } from '../../ui/page.tsx';
import { RawJson } from '../../ui/raw-json.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { When } from '../../ui/when.tsx';
import { eventTitle, readPurchase } from '../people/event-words.ts';
import { eventQuery, explanationQuery, PEOPLE_KEYS, type TrackedEvent } from '../people/queries.ts';
import { EventFacts } from './event-facts.tsx';
import { EventRewards } from './event-rewards.tsx';
import { ExplanationView } from './explanation-view.tsx';
import { wordEvent } from './reasons.ts';

/** An event and the explanation of its decision. */
export function EventPage() {
  const { eventId = '' } = useParams({ strict: false });
  const project = useProject();
  const event = useQuery(eventQuery(project.id, eventId));
  const explanation = useQuery(explanationQuery(project.id, eventId));
  if (event.error || !event.data) {
    return (
      <MissingPage
        title="Event"
        trail={{
          list: { label: 'Events', to: '/p/$projectId/events' },
          type: 'event',
          id: eventId,
        }}
        error={event.error}
        retry={() => void event.refetch()}
      />
    );
  }
  const { data } = event;
  const { tone, label, sentence } = wordEvent(data);
  return (
    <Page
      trail={{ list: { label: 'Events', to: '/p/$projectId/events' }, type: 'event', id: data.id }}
      title={eventTitle(data)}
      intro={sentence}
      aside={<StatusBadge tone={tone} label={label} />}
      actions={<Retry event={data} />}
    >
      {data.processingState === 'pending' && (
        <Alert color="blue" title="Nothing is decided yet">
          It will be decided by <When at={data.nextAttemptAt} fallback="itself, soon" /> at the
          latest. This page will then show how.
        </Alert>
      )}
      <div className="detail-columns">
        <Stack gap="lg">
          {explanation.isError && (
            <ErrorState error={explanation.error} retry={() => void explanation.refetch()} />
          )}
          {explanation.isPending && <Lines count={4} />}
          {explanation.data && (
            <ExplanationView
              explanation={explanation.data}
              type={data.type}
              purchase={readPurchase(data.normalizedFacts)}
            />
          )}
          <EventRewards eventId={eventId} />
        </Stack>
        <Stack component="aside" gap="lg" aria-label="The event">
          <Section title="What happened">
            <EventFacts event={data} />
          </Section>
        </Stack>
      </div>
      <RawJson value={{ event: data, explanation: explanation.data }} />
    </Page>
  );
}

function Retry({ event }: { event: TrackedEvent }) {
  const project = useProject();
  const queries = useQueryClient();
  const mayRetry = useMay('track:write');
  const retry = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/v1/events/{id}/retry', {
          params: { path: { id: event.id } },
          body: { projectId: project.id },
        }),
      ),
    onSuccess: async ({ data }) => {
      for (const key of PEOPLE_KEYS) await queries.invalidateQueries({ queryKey: [key] });
      notifyDone(data.processingState === 'processed' ? 'Decided.' : wordEvent(data).sentence);
    },
  });
  if (!mayRetry || event.processingState !== 'failed') return null;
  return (
    <>
      <Button
        leftSection={<RefreshCwIcon size={16} />}
        loading={retry.isPending}
        onClick={() => retry.mutate()}
      >
        Retry now
      </Button>
      {retry.isError && <ErrorState error={retry.error} />}
    </>
  );
}
