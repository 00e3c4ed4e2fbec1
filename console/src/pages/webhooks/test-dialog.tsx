import { Alert, Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { Snippet } from '../../ui/snippet.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { ALL_TYPES, EVENT_TYPES, type EventType } from './event-types.ts';
import { type Endpoint, sayAnswer } from './states.ts';

type Sent = Answer<'/v1/webhook-endpoints/{endpointId}/test', 'post'>;

interface TestDialogProps {
  readonly endpoint: Endpoint;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Sends a sample now, and shows the response. */
export function TestDialog({ endpoint, opened, onClose }: TestDialogProps) {
  const project = useProject();
  const [type, setType] = useState<EventType>(endpoint.eventTypes[0] ?? 'reward.earned');
  const [sent, setSent] = useState<Sent | null>(null);
  const { submit, isBusy, error } = useSubmit(async () => {
    setSent(null);
    setSent(
      await answerOf(
        api.POST('/v1/webhook-endpoints/{endpointId}/test', {
          params: { path: { endpointId: endpoint.id } },
          body: { projectId: project.id, type },
        }),
      ),
    );
  });
  return (
    <Modal opened={opened} onClose={onClose} title="Send a test" size="lg">
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <Text size="sm">
            A signed sample is sent once, at once, also to a disabled endpoint. Nothing that it
            names exists, it is not in the feed, and the answer grants nothing.
          </Text>
          <Select
            label="Type"
            data={ALL_TYPES}
            value={type}
            onChange={(value) => value && setType(value as EventType)}
            description={EVENT_TYPES[type]}
            allowDeselect={false}
            searchable
          />
          {error !== null && <ErrorState error={error} />}
          {sent && (
            <div role="status">
              <Alert
                variant="light"
                color={sent.delivered ? 'leaf' : 'red'}
                title={`${sayAnswer(sent)} after ${sent.latencyMs.toLocaleString()} ms`}
              >
                {sent.failure?.message ??
                  (sent.delivered ? 'It was delivered.' : 'Only a 2xx answer counts as delivered.')}
              </Alert>
            </div>
          )}
          {sent?.responseBody && <Snippet label="the answer" code={sent.responseBody} isTall />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            <Button type="submit" loading={isBusy}>
              {sent ? 'Send another' : 'Send it'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
