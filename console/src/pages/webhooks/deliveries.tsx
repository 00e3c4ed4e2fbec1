import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { RefreshCwIcon, RepeatIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { FilterChips } from '../../ui/lists/filter-chips.tsx';
import type { FilterSpec } from '../../ui/lists/specs.ts';
import { EmptyState } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { byCursor, untilSome, useEndless } from '../../ui/use-endless.ts';
import { useFilters } from '../../ui/use-filters.ts';
import { When } from '../../ui/when.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { DELIVERY_STATES, type Delivery, type Endpoint, sayAnswer } from './states.ts';

const FILTERS: readonly FilterSpec[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'State',
    choices: Object.entries(DELIVERY_STATES).map(([value, { label }]) => ({ value, label })),
  },
];

export function Deliveries({ endpoint }: { endpoint: Endpoint }) {
  const project = useProject();
  const mayReplay = useMay('webhooks:write') && endpoint.enabled;
  const [filters, setFilters] = useFilters();
  const status = filters.status as Delivery['status'] | undefined;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [replay, setReplay] = useState<'chosen' | 'since' | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are shown
  useEffect(() => setSelected(new Set()), [status]);
  const list = useEndless<Delivery>(
    ['webhook-deliveries', project.id, endpoint.id, 'list', status],
    (from, signal) =>
      untilSome(from, async (cursor) =>
        byCursor(
          await answerOf(
            api.GET('/v1/webhook-endpoints/{endpointId}/deliveries', {
              params: {
                path: { endpointId: endpoint.id },
                query: { projectId: project.id, limit: 50, status, cursor: cursor ?? undefined },
              },
              signal,
            }),
          ),
        ),
      ),
  );
  const columns: readonly Column<Delivery>[] = [
    {
      title: 'Event',
      cell: ({ eventId, eventType }) => (
        <button
          type="button"
          className="link-button"
          onClick={() => setFilters({ delivery: eventId }, { isStep: true })}
        >
          {eventType}
        </button>
      ),
    },
    { title: 'Happened', width: '11rem', cell: ({ occurredAt }) => <When at={occurredAt} /> },
    {
      title: 'State',
      width: '8rem',
      cell: (one) => <StatusBadge {...DELIVERY_STATES[one.status]} />,
    },
    {
      title: 'Last answer',
      width: 'minmax(0, 1.4fr)',
      cell: ({ lastAttempt, isSending, nextAttemptAt }) => {
        if (isSending) return 'Being sent now';
        const said = lastAttempt ? sayAnswer(lastAttempt) : 'Not sent yet';
        if (!nextAttemptAt) return said;
        return (
          <>
            {said}
            <Text size="sm" c="dimmed" component="div">
              Tried again <When clock="real" at={nextAttemptAt} />
            </Text>
          </>
        );
      },
    },
    {
      title: 'Attempts',
      width: '6rem',
      align: 'right',
      cell: ({ attemptCount }) => <span className="figure">{attemptCount}</span>,
    },
  ];
  return (
    <Stack>
      <Title order={2}>Deliveries</Title>
      <FilterChips
        list="webhook-deliveries"
        specs={FILTERS}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<RefreshCwIcon size={16} />}
              loading={list.isRefetching}
              onClick={() => void list.refetch()}
            >
              Refresh
            </Button>
            <ExportLink list="webhook-deliveries" filters={{ endpointId: endpoint.id, status }} />
            {mayReplay && (
              <Button variant="default" onClick={() => setReplay('since')}>
                Replay since…
              </Button>
            )}
          </>
        }
      />
      {mayReplay && selected.size > 0 && (
        <Group>
          <Button leftSection={<RepeatIcon size={16} />} onClick={() => setReplay('chosen')}>
            Replay {selected.size} chosen
          </Button>
        </Group>
      )}
      <DataTable
        label="Deliveries"
        columns={columns}
        list={list}
        idOf={({ eventId }) => eventId}
        selection={mayReplay ? { ids: selected, onChange: setSelected } : undefined}
        empty={
          <EmptyState title={status ? 'No delivery matches' : 'Nothing was sent yet'}>
            {status
              ? 'Choose another state or remove the filter. Sent deliveries are deleted after 30 days by default.'
              : 'As soon as something happens in the project, it is sent here. Try it with “Send a test”.'}
          </EmptyState>
        }
      />
      {mayReplay && selected.size === 0 && list.rows.length > 0 && (
        <Text size="sm" c="dimmed">
          Choose rows to send them again. Your receiver should skip ids that it has already
          processed.
        </Text>
      )}
      {filters.delivery && (
        <DeliveryDialog
          endpoint={endpoint}
          eventId={filters.delivery}
          onClose={() => setFilters({ delivery: undefined })}
          mayReplay={mayReplay}
        />
      )}
      {replay && (
        <ReplayDialog
          endpoint={endpoint}
          chosen={replay === 'chosen' ? [...selected] : null}
          onClose={() => setReplay(null)}
          onQueued={() => setSelected(new Set())}
        />
      )}
    </Stack>
  );
}
