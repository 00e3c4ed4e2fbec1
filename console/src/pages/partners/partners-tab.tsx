import { Stack } from '@mantine/core';
import { HandshakeIcon } from 'lucide-react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { FilterChips } from '../../ui/lists/filter-chips.tsx';
import type { FilterSpec } from '../../ui/lists/specs.ts';
import { EmptyState, Lines } from '../../ui/states.tsx';
import { useEndless } from '../../ui/use-endless.ts';
import { useFilters } from '../../ui/use-filters.ts';
import { RangePicker } from '../home/range-picker.tsx';
import { useRange } from '../home/use-range.ts';
import { partnerColumns } from './partner-columns.tsx';
import { addResults, PAGE_SIZE, type PartnerRow } from './partners-query.ts';
import { PARTNER_STATES, type Partner } from './states.ts';

const FILTERS: readonly FilterSpec[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'State',
    choices: Object.entries(PARTNER_STATES).map(([value, { label }]) => ({ value, label })),
  },
];

/** The workspace's partners in the project's environment, with their results in this project. */
export function PartnersTab() {
  const { id } = useProject();
  const { range, isReady } = useRange(id);
  return isReady ? <PartnerList range={range} /> : <Lines count={6} />;
}

function PartnerList({ range }: { range: ReturnType<typeof useRange>['range'] }) {
  const { id: projectId, workspaceId, environment } = useProject();
  const [filters] = useFilters();
  const hasResults = useMay('referrals:read');
  const status = filters.status as Partner['status'] | undefined;
  const { from, to } = range;
  const days = hasResults ? [projectId, from, to] : [];
  const list = useEndless<PartnerRow>(
    ['partners', workspaceId, environment, status, ...days],
    async (cursor, signal) => {
      const query = { workspaceId, environment, status, limit: PAGE_SIZE };
      const params = { query: { ...query, cursor: cursor ?? undefined } };
      const { data, nextCursor } = await answerOf(api.GET('/v1/partners', { params, signal }));
      const rows = hasResults
        ? await addResults(data, projectId, range, signal)
        : data.map((one) => ({ ...one, results: null }));
      return { rows, next: nextCursor };
    },
  );
  return (
    <Stack>
      <FilterChips
        list="partners"
        specs={FILTERS}
        actions={
          <>
            {hasResults && <RangePicker range={range} />}
            <ExportLink list="partners" filters={{ environment, status }} />
          </>
        }
      />
      <DataTable
        label="Partners"
        columns={partnerColumns(list.rows, hasResults)}
        list={list}
        idOf={({ id }) => id}
        empty={
          <EmptyState
            icon={<HandshakeIcon size={40} strokeWidth={1.4} />}
            title={status ? 'No partner matches' : 'No partners yet'}
          >
            {status
              ? 'Choose another state or remove the filter.'
              : 'Applicants to an affiliate program become partners of the workspace when they have verified their e-mail address and you approve them. A partner has one account for all projects.'}
          </EmptyState>
        }
      />
    </Stack>
  );
}
