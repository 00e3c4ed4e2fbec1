import { Button, Checkbox, Group, Radio, Stack, Switch, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { readWarnings } from '../../api/warnings.ts';
import { useProject } from '../../app/project.ts';
import { readIssues } from '../../ui/form-issues.ts';
import { FormSection } from '../../ui/form-section.tsx';
import { linkDocs } from '../../ui/link-docs.tsx';
import { notifyDone, notifyWarnings } from '../../ui/notify.ts';
import { ErrorState } from '../../ui/states.tsx';
import { FormDialog, useIsChanged, useUnsaved } from '../../ui/unsaved.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { ALL_TYPES, EVENT_TYPES, type EventType, hasAllTypes } from './event-types.ts';
import { type Endpoint, MODES } from './states.ts';

export interface MadeEndpoint {
  readonly endpoint: Endpoint;
  readonly secret: string;
  readonly warnings: readonly string[];
}

interface EndpointFormProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** The endpoint to change; undefined to create one. */
  readonly endpoint?: Endpoint;
  readonly onMade?: (made: MadeEndpoint) => void;
}

export function EndpointForm(props: EndpointFormProps) {
  return (
    <FormDialog
      opened={props.opened}
      onClose={props.onClose}
      title={props.endpoint ? 'Change the endpoint' : 'New webhook endpoint'}
      size="lg"
    >
      <Fields {...props} />
    </FormDialog>
  );
}

/** What is wrong with it before it is sent. */
function problemOf(url: string): string | undefined {
  if (url.trim() === '') return 'Enter an address';
  if (!/^https?:\/\/[^\s/]+/.test(url.trim())) return 'It must begin with https://';
  return undefined;
}

function Fields({ onClose, endpoint, onMade }: EndpointFormProps) {
  const project = useProject();
  const queryClient = useQueryClient();
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [description, setDescription] = useState(endpoint?.description ?? '');
  const [isEvery, setEvery] = useState(!endpoint || hasAllTypes(endpoint.eventTypes));
  const [types, setTypes] = useState<string[]>(endpoint?.eventTypes ?? ['reward.earned']);
  // A new endpoint has no default here: two receivers that grant would grant twice.
  const [mode, setMode] = useState<Endpoint['fulfillmentMode'] | null>(
    endpoint?.fulfillmentMode ?? null,
  );
  const unsaved = useUnsaved(useIsChanged({ url, description, isEvery, types, mode }));
  const [isTried, setTried] = useState(false);
  const getsRewards = isEvery || types.includes('reward.earned');
  const { submit, isBusy, error } = useSubmit(async () => {
    setTried(true);
    if (problemOf(url) || (!isEvery && types.length === 0)) return;
    if (getsRewards && mode === null) return;
    const body = {
      projectId: project.id,
      url: url.trim(),
      description: description.trim() || null,
      eventTypes: isEvery ? null : (types as EventType[]),
      // Without reward.earned there is nothing that a response could grant.
      fulfillmentMode: mode ?? 'explicit',
    };
    if (endpoint) {
      const answer = await answerOf(
        api.PATCH('/v1/webhook-endpoints/{endpointId}', {
          params: { path: { endpointId: endpoint.id } },
          body,
        }),
      );
      notifyDone('Endpoint changed.');
      notifyWarnings(readWarnings(answer));
    } else {
      const answer = await answerOf(api.POST('/v1/webhook-endpoints', { body }));
      onMade?.({ ...answer, warnings: readWarnings(answer) });
    }
    onClose();
    void queryClient.invalidateQueries({ queryKey: ['webhook-endpoints', project.id] });
  });
  const issues = readIssues(error, ['url', 'description', 'eventTypes', 'fulfillmentMode']);
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="form-sections">
      <FormSection title="Receiver">
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
          error={linkDocs(issues.of('url') ?? (isTried ? problemOf(url) : undefined))}
        />
        <TextInput
          label="Description"
          description="What this receiver does."
          placeholder="Grants rewards in the shop"
          maxLength={500}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
          error={issues.of('description')}
        />
      </FormSection>
      <FormSection title="Events" intro="What is sent to it.">
        <Switch
          label="Every event"
          description="Including types that later versions add."
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
      </FormSection>
      {getsRewards && (
        <FormSection
          title="Granting"
          intro="It matters for rewards that your own product grants. Only one endpoint of a project should grant them."
        >
          <Radio.Group
            label="Does this receiver grant rewards?"
            required
            value={mode}
            onChange={(value) => setMode(value as Endpoint['fulfillmentMode'])}
            error={
              issues.of('fulfillmentMode') ?? (isTried && mode === null ? 'Choose one' : undefined)
            }
          >
            <Stack gap="xs" mt="xs">
              {Object.entries(MODES).map(([value, { choice, explanation }]) => (
                <Radio key={value} value={value} label={choice} description={explanation} />
              ))}
            </Stack>
          </Radio.Group>
        </FormSection>
      )}
      {issues.rest !== null && <ErrorState error={issues.rest} />}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose} disabled={isBusy}>
          Cancel
        </Button>
        <Button type="submit" loading={isBusy}>
          {endpoint ? 'Save' : 'Create endpoint'}
        </Button>
      </Group>
      {unsaved.question}
    </form>
  );
}
