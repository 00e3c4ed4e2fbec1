import { Share2Icon } from 'lucide-react';
import '../people/people.css';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { Page } from '../../ui/page.tsx';
import { PersonCell } from '../../ui/person-cell.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { byCursor, useEndless } from '../../ui/use-endless.ts';
import { useFilters } from '../../ui/use-filters.ts';
import { When } from '../../ui/when.tsx';
import { FilterBar, ParticipantFilter, ProgramFilter } from '../people/filters.tsx';
import { ProgramLink } from '../people/names.tsx';
import type { ListedReferral } from '../people/queries.ts';

const FILTERS = ['programId', 'referrerParticipantId', 'refereeParticipantId'] as const;

const COLUMNS: readonly Column<ListedReferral>[] = [
  {
    title: 'Bound',
    width: '12rem',
    cell: (referral) => (
      <ThingLink type="referral" id={referral.id}>
        <When at={referral.bindingOccurredAt} />
      </ThingLink>
    ),
  },
  {
    title: 'Referrer',
    cell: ({ referrer }) => <PersonCell id={referrer.participantId} person={referrer} />,
  },
  {
    title: 'Referred',
    cell: ({ referee }) => <PersonCell id={referee.participantId} person={referee} />,
  },
  { title: 'Program', cell: (one) => <ProgramLink id={one.programId} /> },
];

export function ReferralsPage() {
  const project = useProject();
  const [filters] = useFilters();
  const given = Object.fromEntries(FILTERS.map((name) => [name, filters[name]]));
  const list = useEndless(['referrals', project.id, 'list', given], async (cursor, signal) => {
    const query = { projectId: project.id, limit: 100, ...given, ...(cursor ? { cursor } : {}) };
    return byCursor(await answerOf(api.GET('/v1/referrals', { params: { query }, signal })));
  });
  return (
    <Page
      title="Referrals"
      intro="Who referred whom. A person is referred once; their later purchases earn rewards for the referral."
      actions={<ExportLink list="referrals" filters={given} />}
    >
      <FilterBar names={FILTERS}>
        <ProgramFilter />
        <ParticipantFilter name="referrerParticipantId" label="Referrer" />
        <ParticipantFilter name="refereeParticipantId" label="Referred person" />
      </FilterBar>
      <DataTable
        label="Referrals"
        columns={COLUMNS}
        list={list}
        idOf={({ id }) => id}
        empty={
          <EmptyState icon={<Share2Icon size={36} />} title="No referrals here">
            A referral is bound when a person who followed a link or typed a code signs up. The
            signup’s event shows which click or code won, or why none did.
          </EmptyState>
        }
      />
    </Page>
  );
}
