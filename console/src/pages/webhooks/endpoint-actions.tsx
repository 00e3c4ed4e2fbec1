import { Button, Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  EllipsisIcon,
  KeyRoundIcon,
  PauseIcon,
  PlayIcon,
  SendIcon,
  SquarePenIcon,
  Trash2Icon,
} from 'lucide-react';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { readWarnings } from '../../api/warnings.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notifyDone, notifyWarnings } from '../../ui/notify.ts';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { countOf } from '../../ui/words.ts';
import { EndpointForm } from './endpoint-form.tsx';
import type { Endpoint } from './states.ts';
import { TestDialog } from './test-dialog.tsx';
import { useWaiting } from './use-waiting.ts';

type Asked = 'edit' | 'test' | 'rotate' | 'switch' | 'delete';

export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const project = useProject();
  const mayWrite = useMay('webhooks:write');
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const fate = asked === 'delete' ? 'dropped' : endpoint.enabled ? 'kept' : 'sent now';
  const waiting = useWaiting(endpoint.id, asked === 'switch' || asked === 'delete', fate);
  if (!mayWrite) return null;
  const close = () => setAsked(null);
  const params = { path: { endpointId: endpoint.id } };
  const refresh = () =>
    queryClient.invalidateQueries({ queryKey: ['webhook-endpoints', project.id] });
  const setEnabled = (enabled: boolean) => {
    const body = { projectId: project.id, enabled };
    return answerOf(api.PATCH('/v1/webhook-endpoints/{endpointId}', { params, body }));
  };
  const switched = (answer: Awaited<ReturnType<typeof setEnabled>>) => {
    const { endpoint: changed, droppedDeliveries } = answer;
    void refresh();
    if (!changed.enabled) notifyDone('Disabled. Pending deliveries are kept.');
    else if (droppedDeliveries === 0) notifyDone('Enabled. Pending deliveries are sent now.');
    else {
      const number = countOf(droppedDeliveries, 'delivery', 'deliveries');
      notifyDone(`Enabled. Deliveries dropped because they were too old: ${number}.`);
    }
    notifyWarnings(readWarnings(answer));
  };
  const rotate = () =>
    answerOf(
      api.POST('/v1/webhook-endpoints/{endpointId}/rotate-secret', {
        params,
        body: { projectId: project.id },
      }),
    );
  const remove = () =>
    answerOf(
      api.DELETE('/v1/webhook-endpoints/{endpointId}', {
        params: { ...params, query: { projectId: project.id } },
      }),
    );
  return (
    <>
      <Button
        variant="default"
        leftSection={<SendIcon size={16} />}
        onClick={() => setAsked('test')}
      >
        Send a test
      </Button>
      <Button
        variant="default"
        leftSection={<SquarePenIcon size={16} />}
        onClick={() => setAsked('edit')}
      >
        Change
      </Button>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default" leftSection={<EllipsisIcon size={16} />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<KeyRoundIcon size={16} />} onClick={() => setAsked('rotate')}>
            Rotate secret
          </Menu.Item>
          <Menu.Item
            leftSection={endpoint.enabled ? <PauseIcon size={16} /> : <PlayIcon size={16} />}
            onClick={() => setAsked('switch')}
          >
            {endpoint.enabled ? 'Disable' : 'Enable'}
          </Menu.Item>
          <Menu.Item leftSection={<Trash2Icon size={16} />} onClick={() => setAsked('delete')}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <EndpointForm
        key={endpoint.updatedAt}
        endpoint={endpoint}
        opened={asked === 'edit'}
        onClose={close}
      />
      <TestDialog endpoint={endpoint} opened={asked === 'test'} onClose={close} />
      <Confirm
        opened={asked === 'rotate'}
        onClose={close}
        title="Rotate the signing secret?"
        action="Create a new secret"
        onConfirm={rotate}
        onDone={(made) => setSecret(made.secret)}
      >
        Deliveries are then signed with the new secret and, for 24 hours, also with the old one, so
        your backend can switch. After three rotations within a day, the oldest secret stops
        immediately.
      </Confirm>
      <Confirm
        opened={asked === 'switch'}
        onClose={close}
        title={endpoint.enabled ? 'Disable this endpoint?' : 'Enable this endpoint?'}
        action={endpoint.enabled ? 'Disable' : 'Enable'}
        isDangerous={endpoint.enabled}
        onConfirm={() => setEnabled(!endpoint.enabled)}
        onDone={switched}
      >
        {endpoint.enabled
          ? `Nothing is sent until you enable it. ${waiting} Events that happen in the meantime are not queued. They stay in the feed and can be replayed.`
          : `${waiting} Deliveries that were queued more than 73 hours ago are dropped. Events that happened while it was disabled stay in the feed. You can replay them below.`}
      </Confirm>
      <Confirm
        opened={asked === 'delete'}
        onClose={close}
        title="Delete this endpoint?"
        action="Delete for good"
        isDangerous
        onConfirm={remove}
        onDone={async () => {
          await navigate({ to: '/p/$projectId/webhooks', params: { projectId: project.id } });
          void refresh();
          notifyDone('Endpoint deleted.');
        }}
      >
        {waiting} Its secrets and its history of deliveries are forgotten. This cannot be undone.
        The events stay in the feed.
      </Confirm>
      <SecretOnce secret={secret} title="The new signing secret" onClose={() => setSecret(null)}>
        Give it to your backend within 24 hours; until then the old one signs, too.
      </SecretOnce>
    </>
  );
}
