import { Stack, Text } from '@mantine/core';
import { HandshakeIcon } from 'lucide-react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { FilterChips } from '../../ui/lists/filter-chips.tsx';
import type { FilterSpec } from '../../ui/lists/specs.ts';
import { PersonMark } from '../../ui/person-cell.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { byCursor, useEndless } from '../../ui/use-endless.ts';
import { useFilters } from '../../ui/use-filters.ts';
import { When } from '../../ui/when.tsx';
import { PARTNER_STATES, type Partner, stateOfPartner } from './states.ts';

const COLUMNS: readonly Column<Partner>[] = [
  {
    title: 'Partner',
    cell: ({ id, name, profileType }) => (
      <span className="person">
        <PersonMark id={id} label={name} isGroup={profileType === 'company'} />
        <ThingLink type="partner" id={id}>
          <span className="name" title={name ?? undefined}>
            {name ?? 'Erased partner'}
          </span>
        </ThingLink>
      </span>
    ),
  },
  {
    title: 'E-mail',
    cell: ({ email }) => email ?? <Text span>–</Text>,
  },
  {
    title: 'State',
    width: '8rem',
    cell: (partner) => <StatusBadge {...stateOfPartner(partner)} />,
  },
  {
    title: 'Kind',
    width: '7rem',
    cell: ({ profileType }) => (profileType === 'company' ? 'Company' : 'Person'),
  },
  { title: 'Country', width: '5.5rem', cell: ({ country }) => country ?? '–' },
  { title: 'Since', width: '11rem', cell: ({ createdAt }) => <When at={createdAt} /> },
];

const FILTERS: readonly FilterSpec[] = [
  {
    kind: 'choice',
    name: 'status',
    label: 'State',
    choices: Object.entries(PARTNER_STATES).map(([value, { label }]) => ({ value, label })),
  },
];

/** The workspace's partners in the project's environment: a partner may be in several projects. */
export function PartnersTab() {
  const { workspaceId, environment } = useProject();
  const [filters] = useFilters();
  const status = filters.status as Partner['status'] | undefined;
  const list = useEndless<Partner>(
    ['partners', workspaceId, environment, status],
    async (cursor, signal) =>
      byCursor(
        await answerOf(
          api.GET('/v1/partners', {
            params: {
              query: { workspaceId, environment, status, limit: 100, cursor: cursor ?? undefined },
            },
            signal,
          }),
        ),
      ),
  );
  return (
    <Stack>
      <FilterChips
        list="partners"
        specs={FILTERS}
        actions={<ExportLink list="partners" filters={{ environment, status }} />}
      />
      <DataTable
        label="Partners"
        columns={COLUMNS}
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
