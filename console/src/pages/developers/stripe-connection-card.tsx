import { Alert, Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Facts } from '../../ui/facts.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Section } from '../../ui/section.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { When } from '../../ui/when.tsx';
import { STRIPE_EVENTS, type StripeConnection, stateOfConnection } from './stripe.ts';
import { StripeForm } from './stripe-form.tsx';

type Asked = 'key' | 'secret' | 'switch' | 'delete';

export function StripeConnectionCard({ connection }: { connection: StripeConnection }) {
  const project = useProject();
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const isActive = connection.status === 'active';
  const params = { path: { connectionId: connection.id } };
  const done = (message: string) => {
    for (const key of ['stripe-connections', 'stripe-parked', 'sources']) {
      void queryClient.invalidateQueries({ queryKey: [key, project.id] });
    }
    notifyDone(message);
  };
  const toggle = () =>
    answerOf(
      api.PATCH('/v1/integrations/stripe/connections/{connectionId}', {
        params,
        body: { projectId: project.id, status: isActive ? 'disabled' : 'active' },
      }),
    );
  const remove = () =>
    answerOf(
      api.DELETE('/v1/integrations/stripe/connections/{connectionId}', {
        params: { ...params, query: { projectId: project.id } },
      }),
    );
  const state = stateOfConnection(connection);
  return (
    <Section
      title={`Stripe ${connection.livemode ? '' : 'test mode '}…${connection.last4}`}
      intro={state.explanation}
      actions={<StatusBadge tone={state.tone} label={state.label} />}
    >
      {!connection.hasWebhookSecret && (
        <Alert color="orange" variant="light" title="One step is left">
          At Stripe, create an event destination of type webhook with the URL and the events below.
          Then enter its signing secret here.
        </Alert>
      )}
      <Facts
        rows={[
          ['Webhook URL', <IdText key="url" value={connection.webhookUrl} label="webhook URL" />],
          [
            'Events to send',
            <details key="events" className="fold">
              <summary>
                {STRIPE_EVENTS.reduce((sum, [, types]) => sum + types.length, 0)} types, API version
                2025-03-31.basil or later
              </summary>
              {STRIPE_EVENTS.map(([label, types]) => (
                <Text key={label} size="sm" component="div">
                  {label}: <code>{types.join(', ')}</code>
                </Text>
              ))}
            </details>,
          ],
          [
            'Its source',
            <IdText key="src" value={connection.sourceNamespaceId} label="source id" />,
          ],
          ['Connected', <When key="at" clock="real" at={connection.createdAt} />],
          ['Connection', <IdText key="id" value={connection.id} label="connection id" />],
        ]}
      />
      <Group gap="xs">
        <Button
          variant={connection.hasWebhookSecret ? 'default' : 'filled'}
          onClick={() => setAsked('secret')}
        >
          {connection.hasWebhookSecret ? 'Rotate signing secret' : 'Set signing secret'}
        </Button>
        <Button variant="default" onClick={() => setAsked('key')}>
          Replace key
        </Button>
        <Button variant="default" onClick={() => setAsked('switch')}>
          {isActive ? 'Disable' : 'Enable'}
        </Button>
        <Button variant="default" onClick={() => setAsked('delete')}>
          Delete
        </Button>
      </Group>
      <StripeForm what="key" connection={connection} opened={asked === 'key'} onClose={close} />
      <StripeForm
        what="secret"
        connection={connection}
        opened={asked === 'secret'}
        onClose={close}
      />
      <Confirm
        opened={asked === 'switch'}
        onClose={close}
        title={isActive ? 'Disable this connection?' : 'Enable this connection?'}
        action={isActive ? 'Disable' : 'Enable'}
        isDangerous={isActive}
        onConfirm={toggle}
        onDone={({ data }) => done(data.status === 'active' ? 'Enabled.' : 'Disabled.')}
      >
        {isActive
          ? 'Nothing is accepted from Stripe and nothing is sent to it until you enable the connection again. Stripe retries events for up to three days, so a short interruption loses nothing.'
          : 'From now on, events are accepted and rewards are sent. Events that Stripe has stopped retrying are lost.'}
      </Confirm>
      <Confirm
        opened={asked === 'delete'}
        onClose={close}
        title="Delete this connection?"
        action="Delete for good"
        isDangerous
        onConfirm={remove}
        onDone={() => done('The connection is deleted.')}
      >
        Its key and secret are deleted, its source is disabled, and its parked events are dropped.
        Purchases and refunds that it reported stay. This cannot be undone.
      </Confirm>
    </Section>
  );
}
