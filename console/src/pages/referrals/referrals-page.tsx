import { Share2Icon } from 'lucide-react';
import '../people/people.css';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { FilterChips } from '../../ui/lists/filter-chips.tsx';
import { ListTotal } from '../../ui/lists/list-total.tsx';
import type { FilterSpec } from '../../ui/lists/specs.ts';
import { useListQuery, useOrder } from '../../ui/lists/use-list-query.ts';
import { Page } from '../../ui/page.tsx';
import { PersonCell } from '../../ui/person-cell.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { byCursor, useEndless } from '../../ui/use-endless.ts';
import { When } from '../../ui/when.tsx';
import { useProgramFilter } from '../people/list-filters.ts';
import { ProgramLink } from '../people/names.tsx';
import type { ListedReferral } from '../people/queries.ts';

const PEOPLE: readonly FilterSpec[] = [
  { kind: 'person', name: 'referrerParticipantId', label: 'Referrer' },
  { kind: 'person', name: 'refereeParticipantId', label: 'Referred person' },
];

const COLUMNS: readonly Column<ListedReferral>[] = [
  {
    title: 'Since',
    width: '12rem',
    isOrdered: true,
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
  const specs = [useProgramFilter(), ...PEOPLE];
  const given = useListQuery(specs);
  const order = useOrder();
  const list = useEndless(
    ['referrals', project.id, 'list', given, order],
    async (cursor, signal) => {
      const page = { order, limit: 100, ...(cursor ? { cursor } : {}) };
      const query = { projectId: project.id, ...given, ...page };
      return byCursor(await answerOf(api.GET('/v1/referrals', { params: { query }, signal })));
    },
  );
  const totals = (
    <ListTotal
      queryKey={['referrals', project.id, 'totals', given]}
      load={async (signal) => {
        const query = { projectId: project.id, ...given };
        return (await answerOf(api.GET('/v1/referrals/totals', { params: { query }, signal })))
          .data;
      }}
      one="referral"
    />
  );
  return (
    <Page
      title="Referrals"
      intro="Who referred whom. A person is referred once; their later purchases earn rewards for the referral."
      actions={<ExportLink list="referrals" filters={given} />}
    >
      <FilterChips list="referrals" specs={specs} />
      <DataTable
        label="Referrals"
        columns={COLUMNS}
        list={list}
        idOf={({ id }) => id}
        totals={totals}
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
