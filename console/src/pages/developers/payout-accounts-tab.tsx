import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Facts } from '../../ui/facts.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { When } from '../../ui/when.tsx';
import { PayoutAccountForm } from './payout-account-form.tsx';
import { type PayoutConnection, PROVIDERS, type ProviderMethod } from './payout-accounts.ts';

/** One account per provider and environment, for all projects of the workspace. */
export function PayoutAccountsTab() {
  const { workspaceId, environment } = useProject();
  const { data, error, refetch } = useQuery({
    queryKey: ['payout-connections', workspaceId],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/workspaces/{workspaceId}/payout-connections', {
            params: { path: { workspaceId } },
            signal,
          }),
        )
      ).data,
  });
  if (error) return <ErrorState error={error} retry={() => void refetch()} />;
  if (!data) return <Lines count={8} />;
  return (
    <Stack>
      <Text c="dimmed" maw={720}>
        Accounts that cash is paid from in {environment} projects of the workspace. None is needed
        to pay by hand from a file.
      </Text>
      {(Object.keys(PROVIDERS) as ProviderMethod[]).map((method) => (
        <Account
          key={method}
          method={method}
          connection={
            data.find((one) => one.method === method && one.environment === environment) ?? null
          }
        />
      ))}
    </Stack>
  );
}

interface AccountProps {
  readonly method: ProviderMethod;
  readonly connection: PayoutConnection | null;
}

function Account({ method, connection }: AccountProps) {
  const { workspaceId } = useProject();
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<'connect' | 'disconnect' | null>(null);
  const close = () => setAsked(null);
  const { label, purpose, needs, events } = PROVIDERS[method];
  const disconnect = async () => {
    if (!connection) return;
    await answerOf(
      api.DELETE('/v1/workspaces/{workspaceId}/payout-connections/{connectionId}', {
        params: { path: { workspaceId, connectionId: connection.id } },
      }),
    );
  };
  return (
    <Section
      title={label}
      intro={purpose}
      actions={
        connection ? (
          <StatusBadge tone="good" label="Connected" />
        ) : (
          <Button variant="default" onClick={() => setAsked('connect')}>
            Connect {label}
          </Button>
        )
      }
    >
      {connection ? (
        <>
          <Facts
            rows={[
              ['Credentials', `…${connection.last4}`],
              [
                'Webhook URL',
                <IdText key="url" value={connection.webhookUrl} label="webhook URL" />,
              ],
              [
                'Webhooks',
                connection.checksWebhooks
                  ? 'Set up: results arrive sooner'
                  : `Not set up. Webhooks are optional, but results arrive sooner with them. Let ${label} send ${events} to the URL, then renew the credentials and add the data to verify webhooks.`,
              ],
              ['Since', <When key="at" clock="real" at={connection.updatedAt} />],
            ]}
          />
          <Group gap="xs">
            <Button variant="default" onClick={() => setAsked('connect')}>
              Renew credentials
            </Button>
            <Button variant="default" onClick={() => setAsked('disconnect')}>
              Disconnect
            </Button>
          </Group>
        </>
      ) : (
        <Text size="sm">You need: {needs}</Text>
      )}
      <PayoutAccountForm
        method={method}
        isRenewal={connection !== null}
        opened={asked === 'connect'}
        onClose={close}
      />
      <Confirm
        opened={asked === 'disconnect'}
        onClose={close}
        title={`Disconnect ${label}?`}
        action="Disconnect"
        isDangerous
        onConfirm={disconnect}
        onDone={() => {
          void queryClient.invalidateQueries({ queryKey: ['payout-connections', workspaceId] });
          notifyDone(`${label} is disconnected.`);
        }}
      >
        The credentials are deleted. No batch of this method can be submitted until an account is
        connected again. Goodword no longer notices when earlier payouts are returned.
      </Confirm>
    </Section>
  );
}
