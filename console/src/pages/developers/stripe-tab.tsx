import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { PlusIcon } from 'lucide-react';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { EmptyState, ErrorState, Lines } from '../../ui/states.tsx';
import { ParkedEvents } from './parked-events.tsx';
import { StripeConnectionCard } from './stripe-connection-card.tsx';
import { StripeForm } from './stripe-form.tsx';

const connectionsKey = (projectId: string) => ['stripe-connections', projectId] as const;

export function StripeTab() {
  const project = useProject();
  const [isConnecting, setConnecting] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: connectionsKey(project.id),
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/integrations/stripe/connections', {
            params: { query: { projectId: project.id } },
            signal,
          }),
        )
      ).data,
  });
  const connect = (
    <Button leftSection={<PlusIcon size={16} />} onClick={() => setConnecting(true)}>
      Connect Stripe
    </Button>
  );
  return (
    <Stack>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Lines count={6} />}
      {data?.length === 0 && (
        <EmptyState title="Stripe is not connected" action={connect}>
          With a connection, invoices, refunds, disputes and subscriptions arrive automatically, so
          your backend only reports signups. Credit and discounts can go directly to a customer’s
          Stripe balance or subscription.
        </EmptyState>
      )}
      {data?.map((connection) => (
        <StripeConnectionCard key={connection.id} connection={connection} />
      ))}
      {data && data.length > 0 && (
        <>
          <ParkedEvents />
          <div>
            <Button variant="default" onClick={() => setConnecting(true)}>
              Connect another account
            </Button>
          </div>
        </>
      )}
      <StripeForm what="connect" opened={isConnecting} onClose={() => setConnecting(false)} />
    </Stack>
  );
}
