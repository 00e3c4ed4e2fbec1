import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useProject } from '../../app/project.ts';
import { formatBps } from '../../ui/format-rate.ts';
import { type FigureColumn, FiguresTable } from '../results/figures-table.tsx';
import type { Figures } from '../results/numbers.ts';
import { Sums } from '../results/sums.tsx';
import { formatCount } from './format-count.ts';

type ProgramFigures = Figures['programs'][number];

const COLUMNS: readonly FigureColumn<ProgramFigures>[] = [
  {
    title: 'Program',
    isText: true,
    sortBy: ({ name }) => name,
    cell: (one) => <ProgramLink {...one} />,
  },
  {
    title: 'Referrals',
    sortBy: ({ total }) => total.referrals,
    cell: ({ total }) => formatCount(total.referrals),
  },
  {
    title: 'Conversion',
    sortBy: ({ total }) => total.conversionBps,
    cell: ({ total }) => formatBps(total.conversionBps),
  },
  {
    title: 'Customers',
    sortBy: ({ total }) => total.customers,
    cell: ({ total }) => formatCount(total.customers),
  },
  {
    title: 'Revenue',
    sums: ({ total }) => total.revenue,
    cell: ({ total }) => <Sums of={total.revenue} />,
  },
  {
    title: 'Reward cost',
    sums: ({ total }) => total.money,
    cell: ({ total }) => <Sums of={total.money} />,
  },
];

export function ByProgram({ figures }: { figures: Figures }) {
  return (
    <FiguresTable
      title="By program"
      columns={COLUMNS}
      keyOf={({ programId }) => programId}
      rows={figures.programs}
    />
  );
}

function ProgramLink({ programId, name }: Pick<ProgramFigures, 'programId' | 'name'>) {
  const { id: projectId } = useProject();
  return (
    <Anchor
      component={Link}
      to="/p/$projectId/programs/$programId"
      params={{ projectId, programId } as never}
      inherit
    >
      {name}
    </Anchor>
  );
}
