import '../money.css';
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { PlusIcon, WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { useProject } from '../../app/project.ts';
import { queryClient } from '../../app/query-client.ts';
import { useMay } from '../../app/session.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { Page } from '../../ui/page.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { useEndless } from '../../ui/use-endless.ts';
import { WarningList } from '../../ui/warning-list.tsx';
import { When } from '../../ui/when.tsx';
import { countOf } from '../../ui/words.ts';
import { EndpointForm, type MadeEndpoint } from './endpoint-form.tsx';
import { hasAllTypes } from './event-types.ts';
import { EndpointHealth } from './health.tsx';
import { endpointsQuery } from './queries.ts';
import { type Endpoint, endpointState } from './states.ts';

/** Endpoints by their id, as they are listed. */
const namesOf = (endpoints: readonly Endpoint[]) =>
  new Map(endpoints.map(({ id, description, url }) => [id, description ?? url]));

/** Maximum per project. */
const ENDPOINTS_MAX = 10;

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    title: 'Endpoint',
    width: 'minmax(0, 2.2fr)',
    sortBy: ({ url, description }) => description ?? url,
    cell: ({ id, url, description }) => (
      <>
        <ThingLink type="webhook_endpoint" id={id}>
          {description ?? url}
        </ThingLink>
        {description && (
          <Text size="sm" c="dimmed">
            {url}
          </Text>
        )}
      </>
    ),
  },
  {
    title: 'State',
    width: '7rem',
    sortBy: (endpoint) => endpointState(endpoint).label,
    cell: (endpoint) => <StatusBadge {...endpointState(endpoint)} />,
  },
  {
    title: 'Health',
    width: 'minmax(0, 1.4fr)',
    cell: ({ id }) => <EndpointHealth endpointId={id} />,
  },
  {
    title: 'Events',
    sortBy: ({ eventTypes }) => eventTypes.length,
    cell: ({ eventTypes }) =>
      hasAllTypes(eventTypes) ? 'Every event' : countOf(eventTypes.length, 'type'),
  },
  {
    title: 'Answers',
    sortBy: ({ fulfillmentMode }) => fulfillmentMode,
    cell: ({ fulfillmentMode }) =>
      fulfillmentMode === 'on_delivery' ? 'Grant rewards' : 'Only acknowledge',
  },
  {
    title: 'Since',
    width: '11rem',
    sortBy: ({ createdAt }) => Date.parse(createdAt),
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
];

export function WebhooksPage() {
  const project = useProject();
  const mayWrite = useMay('webhooks:write');
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const [made, setMade] = useState<MadeEndpoint | null>(null);
  const query = endpointsQuery(project.id);
  const list = useEndless<Endpoint>(['webhook-endpoints', project.id, 'list'], async () => ({
    rows: (await queryClient.fetchQuery({ ...query, staleTime: 0 })).endpoints,
    next: null,
  }));
  const { data: { warnings } = { warnings: [] } } = useQuery(query);
  const isFull = list.rows.length >= ENDPOINTS_MAX;
  const create = mayWrite ? (
    <Button
      leftSection={<PlusIcon size={18} />}
      disabled={isFull}
      onClick={() => setCreating(true)}
    >
      New endpoint
    </Button>
  ) : undefined;
  return (
    <Page
      title="Webhooks"
      intro="Goodword sends signed events to addresses of your backend and retries until they are accepted."
      actions={
        list.rows.length > 0 && (
          <Group gap="xs">
            <ExportLink list="webhook-endpoints" />
            {create}
          </Group>
        )
      }
    >
      <WarningList warnings={warnings} names={namesOf(list.rows)} />
      <DataTable
        label="Webhook endpoints"
        columns={COLUMNS}
        list={list}
        idOf={({ id }) => id}
        empty={
          <EmptyState
            icon={<WebhookIcon size={40} strokeWidth={1.4} />}
            title="No endpoints yet"
            action={create}
          >
            Enter an https address of your backend. It receives every event of the types you choose,
            such as an earned reward, signed with a secret that is shown once. Without an endpoint,
            you can read the same events from the feed.
          </EmptyState>
        }
      />
      {isFull && mayWrite && (
        <Text size="sm" c="dimmed">
          A project has at most {ENDPOINTS_MAX} endpoints. Delete one to make another.
        </Text>
      )}
      {mayWrite && (
        <EndpointForm opened={isCreating} onClose={() => setCreating(false)} onMade={setMade} />
      )}
      <SecretOnce
        secret={made?.secret ?? null}
        title="The signing secret"
        onClose={() => {
          if (!made) return;
          setMade(null);
          void navigate({
            to: '/p/$projectId/webhooks/$endpointId',
            params: { projectId: project.id, endpointId: made.endpoint.id },
          });
        }}
      >
        <WarningList warnings={made?.warnings ?? []} />
        Your backend uses it to verify that a request comes from here. Keep it where your backend
        reads its secrets, for instance as <code>WEBHOOK_SECRET</code>.
      </SecretOnce>
    </Page>
  );
}
