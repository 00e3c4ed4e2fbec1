import '../money.css';
import { Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useProject } from '../../app/project.ts';
import { Facts } from '../../ui/facts.tsx';
import { IdText } from '../../ui/id-text.tsx';
import { MissingPage } from '../../ui/missing-page.tsx';
import { Page } from '../../ui/page.tsx';
import { RawJson } from '../../ui/raw-json.tsx';
import { Section } from '../../ui/section.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { WarningList } from '../../ui/warning-list.tsx';
import { When } from '../../ui/when.tsx';
import { Deliveries } from './deliveries.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { hasAllTypes } from './event-types.ts';
import { endpointQuery } from './queries.ts';
import { type Endpoint, endpointState, MODES } from './states.ts';

export function EndpointPage() {
  const { endpointId = '' } = useParams({ strict: false });
  const project = useProject();
  const { data: shown, error, refetch } = useQuery(endpointQuery(project.id, endpointId));
  if (shown) return <LoadedEndpoint {...shown} />;
  return (
    <MissingPage
      title="Webhook endpoint"
      trail={{
        list: { label: 'Webhooks', to: '/p/$projectId/webhooks' },
        type: 'webhook_endpoint',
        id: endpointId,
      }}
      error={error}
      retry={() => void refetch()}
    />
  );
}

function LoadedEndpoint({
  endpoint,
  warnings,
}: {
  endpoint: Endpoint;
  warnings: readonly string[];
}) {
  const mode = MODES[endpoint.fulfillmentMode];
  return (
    <Page
      trail={{
        list: { label: 'Webhooks', to: '/p/$projectId/webhooks' },
        type: 'webhook_endpoint',
        id: endpoint.id,
      }}
      title={endpoint.description ?? 'Webhook endpoint'}
      aside={<StatusBadge {...endpointState(endpoint)} />}
      intro={endpointState(endpoint).explanation}
      actions={<EndpointActions endpoint={endpoint} />}
    >
      <WarningList warnings={warnings} />
      <Section title="Where, and what">
        <Facts
          rows={[
            ['URL', <IdText key="url" value={endpoint.url} label="URL" />],
            [
              'Events',
              hasAllTypes(endpoint.eventTypes) ? (
                'Every event, including future types'
              ) : (
                <Group key="types" gap={6}>
                  {endpoint.eventTypes.map((type) => (
                    <Badge key={type} variant="default" tt="none" fw={500}>
                      {type}
                    </Badge>
                  ))}
                </Group>
              ),
            ],
            [
              'Answers',
              <div key="mode">
                {mode.label}
                <Text size="sm" c="dimmed">
                  {mode.explanation}
                </Text>
              </div>,
            ],
            ['Version of events', endpoint.apiVersion],
            ['Created', <When key="made" at={endpoint.createdAt} />],
            ['Endpoint', <IdText key="id" value={endpoint.id} label="endpoint id" />],
          ]}
        />
        <RawJson value={endpoint} />
      </Section>
      <Deliveries endpoint={endpoint} />
    </Page>
  );
}
