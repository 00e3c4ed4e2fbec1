import { GiftIcon } from 'lucide-react';
import { useState } from 'react';
import '../people/people.css';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { Page } from '../../ui/page.tsx';
import { PersonCell } from '../../ui/person-cell.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { byCursor, useEndless } from '../../ui/use-endless.ts';
import { useFilters } from '../../ui/use-filters.ts';
import { When } from '../../ui/when.tsx';
import { humanize } from '../../ui/words.ts';
import {
  FilterBar,
  MomentFilter,
  ParticipantFilter,
  ProgramFilter,
  SelectFilter,
} from '../people/filters.tsx';
import { ProgramLink } from '../people/names.tsx';
import { BulkBar } from './bulk-bar.tsx';
import type { Reward } from './explain-reward.ts';
import {
  FILTERS,
  KINDS,
  labelIn,
  METHODS,
  type RewardFilters,
  ROLES,
  STATUSES,
} from './reward-filters.ts';
import { Benefit, RewardBadge } from './reward-rows.tsx';

const COLUMNS: readonly Column<Reward>[] = [
  {
    title: 'Reward',
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
  { title: 'Earned', width: '11.5rem', cell: ({ earnedAt }) => <When at={earnedAt} /> },
];

export function RewardsPage() {
  const project = useProject();
  const mayWrite = useMay('rewards:write');
  const [filters] = useFilters();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const given: RewardFilters = Object.fromEntries(FILTERS.map((name) => [name, filters[name]]));
  const list = useEndless(['rewards', project.id, 'list', given], async (cursor, signal) => {
    const query = { projectId: project.id, limit: 100, ...given, ...(cursor ? { cursor } : {}) };
    return byCursor(await answerOf(api.GET('/v1/rewards', { params: { query }, signal })));
  });
  return (
    <Page
      title="Rewards"
      intro="The rewards that people earned, and their delivery status."
      actions={
        <>
          <ExportLink list="reward-adjustments" label="Export refunds" />
          <ExportLink list="rewards" filters={given} />
        </>
      }
    >
      <FilterBar names={FILTERS}>
        <SelectFilter name="fulfillmentStatus" label="State" all="All states" choices={STATUSES} />
        <SelectFilter name="deliveryMethod" label="Delivered by" all="All ways" choices={METHODS} />
        <SelectFilter name="benefitKind" label="Kind" all="All kinds" choices={KINDS} />
        <SelectFilter name="beneficiaryRole" label="Role" all="All roles" choices={ROLES} />
        <ProgramFilter />
        <ParticipantFilter name="beneficiaryParticipantId" label="Participant" />
        <MomentFilter name="earnedFrom" label="Earned from" />
        <MomentFilter name="earnedTo" label="Earned until" />
      </FilterBar>
      {mayWrite && <BulkBar loaded={list.rows} ids={selected} onChange={setSelected} />}
      <DataTable
        label="Rewards"
        columns={COLUMNS}
        list={list}
        idOf={({ id }) => id}
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
