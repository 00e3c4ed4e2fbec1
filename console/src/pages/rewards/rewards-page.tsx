import { GiftIcon } from 'lucide-react';
import { useState } from 'react';
import '../people/people.css';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { FilterChips } from '../../ui/lists/filter-chips.tsx';
import { ListTotal } from '../../ui/lists/list-total.tsx';
import { useListQuery, useOrder } from '../../ui/lists/use-list-query.ts';
import { Page } from '../../ui/page.tsx';
import { PersonCell } from '../../ui/person-cell.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { byCursor, useEndless } from '../../ui/use-endless.ts';
import { When } from '../../ui/when.tsx';
import { humanize } from '../../ui/words.ts';
import { useProgramFilter } from '../people/list-filters.ts';
import { ProgramLink } from '../people/names.tsx';
import { BulkBar } from './bulk-bar.tsx';
import type { Reward } from './explain-reward.ts';
import { labelIn, REWARD_FILTERS, type RewardFilters, ROLES } from './reward-filters.ts';
import { Benefit, RewardBadge } from './reward-rows.tsx';

const COLUMNS: readonly Column<Reward>[] = [
  {
    title: 'Reward',
    width: '12rem',
    align: 'right',
    cell: (reward) => (
      <div className="two-lines">
        <ThingLink type="reward" id={reward.id}>
          <Benefit reward={reward} />
        </ThingLink>
        <span>{humanize(reward.benefitKind)}</span>
      </div>
    ),
  },
  {
    title: 'For',
    cell: ({ beneficiary, beneficiaryRole }) => (
      <PersonCell
        id={beneficiary.participantId}
        person={beneficiary}
        note={labelIn(ROLES, beneficiaryRole)}
      />
    ),
  },
  { title: 'Program', cell: ({ programId }) => <ProgramLink id={programId} /> },
  { title: 'State', cell: (reward) => <RewardBadge reward={reward} /> },
  {
    title: 'Earned',
    width: '11.5rem',
    isOrdered: true,
    cell: ({ earnedAt }) => <When at={earnedAt} />,
  },
];

export function RewardsPage() {
  const project = useProject();
  const mayWrite = useMay('rewards:write');
  const specs = [...REWARD_FILTERS, useProgramFilter()];
  const given: RewardFilters = useListQuery(specs);
  const order = useOrder();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const list = useEndless(['rewards', project.id, 'list', given, order], async (cursor, signal) => {
    const page = { order, limit: 100, ...(cursor ? { cursor } : {}) };
    const query = { projectId: project.id, ...given, ...page };
    return byCursor(await answerOf(api.GET('/v1/rewards', { params: { query }, signal })));
  });
  const totals = (
    <ListTotal
      queryKey={['rewards', project.id, 'totals', given]}
      load={async (signal) => {
        const query = { projectId: project.id, ...given };
        return (await answerOf(api.GET('/v1/rewards/totals', { params: { query }, signal }))).data;
      }}
      one="reward"
    />
  );
  return (
    <Page
      title="Rewards"
      intro="The rewards that people earned, and their delivery status."
      actions={
        <>
          <ExportLink list="reward-adjustments" label="Export refunds" />
          <ExportLink list="rewards" filters={given as Record<string, string | undefined>} />
        </>
      }
    >
      <FilterChips list="rewards" specs={specs} />
      {mayWrite && <BulkBar loaded={list.rows} ids={selected} onChange={setSelected} />}
      <DataTable
        label="Rewards"
        columns={COLUMNS}
        list={list}
        idOf={({ id }) => id}
        totals={totals}
        selection={mayWrite ? { ids: selected, onChange: setSelected } : undefined}
        empty={
          <EmptyState icon={<GiftIcon size={36} />} title="No rewards here">
            A reward is earned when an event meets a rule of a program. If you expected one, open
            the event. It shows which rules were considered and why each gave nothing.
          </EmptyState>
        }
      />
    </Page>
  );
}
