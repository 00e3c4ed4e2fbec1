import { Badge, Group, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { SearchIcon, UsersIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import '../people/people.css';
import { answerOf, api, type Row } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { FilterChips } from '../../ui/lists/filter-chips.tsx';
import { ListTotal } from '../../ui/lists/list-total.tsx';
import type { FilterSpec } from '../../ui/lists/specs.ts';
import { Page } from '../../ui/page.tsx';
import { PersonCell } from '../../ui/person-cell.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { byOffset, useEndless } from '../../ui/use-endless.ts';
import { useFilters } from '../../ui/use-filters.ts';
import { When } from '../../ui/when.tsx';
import { SearchResults } from './search-results.tsx';

type Listed = Row<'/v1/participants'>;

const COLUMNS: readonly Column<Listed>[] = [
  {
    title: 'Participant',
    cell: (one) => <PersonCell id={one.id} person={one} />,
  },
  { title: 'E-mail', cell: ({ email }) => email ?? '–' },
  { title: 'Kind', width: '6rem', cell: ({ kind }) => (kind === 'group' ? 'Group' : 'Person') },
  { title: 'Part in referrals', width: '10rem', cell: (one) => <Parts of={one} /> },
  { title: 'First seen', width: '12rem', cell: ({ createdAt }) => <When at={createdAt} /> },
];

const FILTERS: readonly FilterSpec[] = [
  {
    kind: 'choice',
    name: 'kind',
    label: 'Kind',
    choices: [
      { value: 'individual', label: 'People' },
      { value: 'group', label: 'Groups' },
    ],
  },
];

export function ParticipantsPage() {
  const project = useProject();
  const [filters] = useFilters();
  const kind = filters.kind as Listed['kind'] | undefined;
  const list = useEndless(
    ['participants', project.id, 'list', { kind }],
    async (offset, signal) => {
      const query = { projectId: project.id, kind, ...(offset ? { offset } : {}) };
      return byOffset(await answerOf(api.GET('/v1/participants', { params: { query }, signal })));
    },
  );
  const totals = (
    <ListTotal
      queryKey={['participants', project.id, 'totals', { kind }]}
      load={async (signal) => {
        const query = { projectId: project.id, kind };
        return (await answerOf(api.GET('/v1/participants/totals', { params: { query }, signal })))
          .data;
      }}
      one="participant"
    />
  );
  return (
    <Page
      title="Participants"
      intro="All people and groups that your backend has reported, with your own ids."
      actions={<ExportLink list="participants" filters={{ kind }} />}
    >
      <FilterChips list="participants" specs={FILTERS}>
        <SearchBox />
      </FilterChips>
      {filters.q ? (
        <SearchResults q={filters.q} />
      ) : (
        <DataTable
          label="Participants"
          columns={COLUMNS}
          list={list}
          idOf={({ id }) => id}
          totals={totals}
          empty={
            <EmptyState icon={<UsersIcon size={36} />} title="Nobody yet">
              A participant appears when your backend first mentions a person or group: with a
              signup or purchase, when they get a code or link, or when they open the widget.
            </EmptyState>
          }
        />
      )}
    </Page>
  );
}

/** The input goes into the address once typing pauses. */
function SearchBox() {
  const [{ q = '' }, setFilters] = useFilters();
  const [text, setText] = useState(q);
  const [settled] = useDebouncedValue(text.trim(), 250);
  useEffect(() => setText((now) => (now.trim() === q ? now : q)), [q]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed moves the address
  useEffect(() => {
    if (settled !== q && settled === text.trim()) setFilters({ q: settled || undefined });
  }, [settled]);
  return (
    <TextInput
      type="search"
      aria-label="Search"
      size="sm"
      placeholder="Name, e-mail, external id, code or id"
      className="search-box"
      leftSection={<SearchIcon size={16} />}
      value={text}
      maxLength={512}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}

function Parts({ of }: { of: Listed }) {
  if (of.deletedAt) {
    return (
      <Badge variant="light" color="gray" tt="none">
        Erased
      </Badge>
    );
  }
  return (
    <Group gap={6}>
      {of.isReferrer && (
        <Badge variant="light" color="leaf" tt="none">
          Referrer
        </Badge>
      )}
      {of.isReferee && (
        <Badge variant="light" color="blue" tt="none">
          Referred
        </Badge>
      )}
      {!of.isReferrer && !of.isReferee && '–'}
    </Group>
  );
}
