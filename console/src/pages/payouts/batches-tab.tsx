import { Stack, Text } from '@mantine/core';
import { HandCoinsIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { FilterChips } from '../../ui/lists/filter-chips.tsx';
import type { FilterSpec } from '../../ui/lists/specs.ts';
import { EmptyState } from '../../ui/states.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { byCursor, useEndless } from '../../ui/use-endless.ts';
import { useFilters } from '../../ui/use-filters.ts';
import { When } from '../../ui/when.tsx';
import { countOf } from '../../ui/words.ts';
import { BatchBadge } from './badges.tsx';
import { BATCH_STATE_CHOICES, BATCH_STATES, type Batch, batchStateOf, METHODS } from './states.ts';
import { payoutCountOf, sumsOf } from './totals.ts';

const COLUMNS: readonly Column<Batch>[] = [
  {
    title: 'Drafted',
    sortBy: ({ createdAt }) => Date.parse(createdAt),
    cell: (batch) => (
      <ThingLink type="payout_batch" id={batch.id}>
        <When clock="real" at={batch.createdAt} />
      </ThingLink>
    ),
  },
  {
    title: 'State',
    width: '9.5rem',
    sortBy: (batch) => batchStateOf(batch).label,
    cell: (batch) => <BatchBadge batch={batch} />,
  },
  {
    title: 'Method',
    width: '8rem',
    sortBy: ({ method }) => METHODS[method].label,
    cell: ({ method }) => METHODS[method].label,
  },
  {
    title: 'Transfers',
    width: '7.5rem',
    sortBy: payoutCountOf,
    align: 'right',
    cell: (batch) => <span className="figure">{payoutCountOf(batch).toLocaleString()}</span>,
  },
  {
    title: 'Sum',
    align: 'right',
    cell: ({ totals }) =>
      totals.length === 0 ? (
        <Text span c="dimmed">
          nobody to pay
        </Text>
      ) : (
        <span className="figure">{sumsOf(totals)}</span>
      ),
  },
];

const FILTERS: readonly FilterSpec[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'State',
    choices: BATCH_STATE_CHOICES,
  },
];

export function BatchesTab({ draft }: { draft: ReactNode }) {
  const project = useProject();
  const [filters] = useFilters();
  const status = filters.status as Batch['status'] | undefined;
  const list = useEndless<Batch>(['payout-batches', project.id, 'list', status], (cursor, signal) =>
    answerOf(
      api.GET('/v1/payout-batches', {
        params: {
          query: { projectId: project.id, limit: 50, status, cursor: cursor ?? undefined },
        },
        signal,
      }),
    ).then(byCursor),
  );
  return (
    <Stack>
      <FilterChips
        list="payout-batches"
        specs={FILTERS}
        actions={<ExportLink list="payout-batches" filters={{ status }} />}
      />
      <DataTable
        label="Payout batches"
        columns={COLUMNS}
        list={list}
        idOf={({ id }) => id}
        empty={
          status ? (
            <EmptyState title={`No batch is ${BATCH_STATES[status]?.label.toLowerCase()}`}>
              Choose another state or remove the filter to see the others.
            </EmptyState>
          ) : (
            <EmptyState
              icon={<HandCoinsIcon size={40} strokeWidth={1.4} />}
              title="No payouts yet"
              action={draft}
            >
              A batch collects every cash reward that can be paid now: its hold is over, its program
              pays cash by payout, and its owner has entered payout details. You review the draft
              before anything is sent.
            </EmptyState>
          )
        }
      />
      {list.rows.length > 0 && (
        <Text size="sm" c="dimmed">
          {countOf(list.rows.length, 'batch', 'batches')} shown. Each reward is in one open batch at
          a time.
        </Text>
      )}
    </Stack>
  );
}
