import { Button, Checkbox, Group, Modal, Radio, Stack, Switch, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { readIssues } from '../../ui/form-issues.ts';
import { notifyDone } from '../../ui/notify.ts';
import { ErrorState } from '../../ui/states.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { ALL_TYPES, EVENT_TYPES, type EventType, hasAllTypes } from './event-types.ts';
import { type Endpoint, MODES } from './states.ts';

interface EndpointFormProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** To change one; without it a new one is made. */
  readonly endpoint?: Endpoint;
  readonly onMade?: (made: { endpoint: Endpoint; secret: string }) => void;
}

export function EndpointForm(props: EndpointFormProps) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={props.endpoint ? 'Change the endpoint' : 'New webhook endpoint'}
      size="lg"
      closeOnClickOutside={false}
    >
      <Fields {...props} />
    </Modal>
  );
}

/** What can be told to be wrong before it is sent. */
function problemOf(url: string): string | undefined {
  if (url.trim() === '') return 'is needed';
  if (!/^https?:\/\/[^\s/]+/.test(url.trim())) return 'must begin with https://';
  return undefined;
}

function Fields({ onClose, endpoint, onMade }: EndpointFormProps) {
  const project = useProject();
  const queryClient = useQueryClient();
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [description, setDescription] = useState(endpoint?.description ?? '');
  const [isEvery, setEvery] = useState(!endpoint || hasAllTypes(endpoint.eventTypes));
  const [types, setTypes] = useState<string[]>(endpoint?.eventTypes ?? ['reward.earned']);
  const [mode, setMode] = useState<Endpoint['fulfillmentMode']>(
    endpoint?.fulfillmentMode ?? 'on_delivery',
  );
  const [isTried, setTried] = useState(false);
  const getsRewards = isEvery || types.includes('reward.earned');
  const { submit, isBusy, error } = useSubmit(async () => {
    setTried(true);
    if (problemOf(url) || (!isEvery && types.length === 0)) return;
    const body = {
      projectId: project.id,
      url: url.trim(),
      description: description.trim() || null,
      eventTypes: isEvery ? null : (types as EventType[]),
      fulfillmentMode: mode,
    };
    if (endpoint) {
      await answerOf(
        api.PATCH('/v1/webhook-endpoints/{endpointId}', {
          params: { path: { endpointId: endpoint.id } },
          body,
        }),
      );
      notifyDone('Endpoint changed.');
    } else {
      onMade?.(await answerOf(api.POST('/v1/webhook-endpoints', { body })));
    }
    await queryClient.invalidateQueries({ queryKey: ['webhook-endpoints', project.id] });
    onClose();
  });
  const issues = readIssues(error, ['url', 'description', 'eventTypes', 'fulfillmentMode']);
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <TextInput
          label="URL"
          description="https, and a public address. Redirects are not followed."
          placeholder="https://example.com/webhooks/goodword"
          inputMode="url"
          maxLength={2048}
          required
          data-autofocus
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          error={issues.of('url') ?? (isTried ? problemOf(url) : undefined)}
        />
        <TextInput
          label="Description"
          description="For yourself: what is behind it."
          placeholder="Grants rewards in the shop"
          maxLength={500}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
          error={issues.of('description')}
        />
        <Switch
          label="Every event"
          description="Also of types that are yet to come."
          checked={isEvery}
          onChange={(event) => setEvery(event.currentTarget.checked)}
        />
        {!isEvery && (
          <Checkbox.Group
            label="Which events"
            value={types}
            onChange={setTypes}
            error={
              issues.of('eventTypes') ??
              (isTried && types.length === 0 ? 'Choose at least one' : undefined)
            }
          >
            <Stack gap="xs" mt="xs">
              {ALL_TYPES.map((type) => (
                <Checkbox key={type} value={type} label={type} description={EVENT_TYPES[type]} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        {getsRewards && (
          <Radio.Group
            label="What an answer to reward.earned means"
            description="It matters for rewards that your own product grants."
            value={mode}
            onChange={(value) => setMode(value as Endpoint['fulfillmentMode'])}
            error={issues.of('fulfillmentMode')}
          >
            <Stack gap="xs" mt="xs">
              {Object.entries(MODES).map(([value, { label, explanation }]) => (
                <Radio key={value} value={value} label={label} description={explanation} />
              ))}
            </Stack>
          </Radio.Group>
        )}
        {issues.rest !== null && <ErrorState error={issues.rest} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            {endpoint ? 'Save' : 'Make endpoint'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
