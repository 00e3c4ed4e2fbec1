import { Button, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { Facts } from '../../ui/facts.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Snippet } from '../../ui/snippet.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { When } from '../../ui/when.tsx';
import { type Attempt, DELIVERY_STATES, type Endpoint, sayAnswer } from './states.ts';

interface DeliveryDialogProps {
  readonly endpoint: Endpoint;
  readonly eventId: string;
  readonly mayReplay: boolean;
  readonly onClose: () => void;
}

/** The delivery of one event, attempt by attempt, with the responses. */
export function DeliveryDialog({ endpoint, eventId, mayReplay, onClose }: DeliveryDialogProps) {
  const { id: projectId } = useProject();
  const queryClient = useQueryClient();
  const delivery = useQuery({
    queryKey: ['webhook-deliveries', projectId, endpoint.id, 'one', eventId],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/webhook-endpoints/{endpointId}/deliveries/{eventId}', {
            params: { path: { endpointId: endpoint.id, eventId }, query: { projectId } },
            signal,
          }),
        )
      ).delivery,
    refetchInterval: ({ state }) =>
      state.data?.status === 'pending' && !state.data.nextAttemptAt ? 1_500 : false,
  });
  const body = useQuery({
    queryKey: ['webhook-events', projectId, eventId, endpoint.apiVersion],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/webhook-events/{eventId}', {
            params: {
              path: { eventId },
              query: { projectId, apiVersion: endpoint.apiVersion as never },
            },
            signal,
          }),
        )
      ).event,
    staleTime: 60_000,
  });
  const { submit, isBusy, error } = useSubmit(async () => {
    await answerOf(
      api.POST('/v1/webhook-endpoints/{endpointId}/replay', {
        params: { path: { endpointId: endpoint.id } },
        body: { projectId, eventIds: [eventId] },
      }),
    );
    void queryClient.invalidateQueries({
      queryKey: ['webhook-deliveries', projectId, endpoint.id],
    });
    notifyDone('It is sent again now.');
  });
  const { data } = delivery;
  return (
    <Modal opened onClose={onClose} title={data?.eventType ?? 'Delivery'} size="xl">
      <Stack>
        {delivery.error && <ErrorState error={delivery.error} />}
        {delivery.isPending && <Lines count={5} />}
        {data && (
          <>
            <Group gap="sm">
              <StatusBadge
                tone={DELIVERY_STATES[data.status].tone}
                label={DELIVERY_STATES[data.status].label}
              />
              <Text size="sm">{DELIVERY_STATES[data.status].explanation}</Text>
            </Group>
            <Facts
              rows={[
                ['Event', <IdText key="id" value={data.eventId} label="event id" />],
                ['Happened', <When key="at" at={data.occurredAt} />],
                data.nextAttemptAt
                  ? ['Next attempt', <When key="next" clock="real" at={data.nextAttemptAt} />]
                  : undefined,
              ]}
            />
            <Title order={3} size="h4">
              Attempts
            </Title>
            {data.attempts.length === 0 && <Text>None yet: it is about to be sent.</Text>}
            {data.attempts.toReversed().map((attempt) => (
              <OneAttempt key={attempt.id} attempt={attempt} />
            ))}
          </>
        )}
        <Title order={3} size="h4">
          What is sent
        </Title>
        {body.error && <ErrorState error={body.error} />}
        {body.isPending && <Lines count={4} />}
        {body.data && (
          <Snippet label="the event" code={JSON.stringify(body.data, null, 2)} isTall />
        )}
        {error !== null && <ErrorState error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          {mayReplay && data && (
            <Button onClick={() => void submit()} loading={isBusy}>
              Send it again
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

function OneAttempt({ attempt }: { attempt: Attempt }) {
  const isGood = attempt.outcome === 'succeeded';
  return (
    <details className="fold attempt">
      <summary>
        <StatusBadge
          tone={isGood ? 'good' : 'bad'}
          label={`${attempt.number}. ${sayAnswer(attempt)}`}
        />{' '}
        <When clock="real" at={attempt.startedAt} /> · {attempt.latencyMs.toLocaleString()} ms
      </summary>
      {attempt.failure && <Text size="sm">{attempt.failure.message}</Text>}
      {attempt.responseBody ? (
        <Snippet label="the answer" code={attempt.responseBody} isTall />
      ) : (
        <Text size="sm" c="dimmed">
          The response had no body.
        </Text>
      )}
    </details>
  );
}
