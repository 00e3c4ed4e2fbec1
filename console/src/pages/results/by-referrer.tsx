import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { personLabel } from '../../ui/person.ts';
import { PersonCell } from '../../ui/person-cell.tsx';
import { formatCount } from '../home/format-count.ts';
import { type FigureColumn, FiguresTable } from './figures-table.tsx';
import { Sums } from './sums.tsx';

type Referrer = Answer<'/v1/figures/top-referrers'>['data'][number];

const WHO: FigureColumn<Referrer> = {
  title: 'Who',
  isText: true,
  sortBy: ({ participant: one }) => personLabel(one, one.participantId),
  cell: ({ participant }) => <PersonCell id={participant.participantId} person={participant} />,
};
const REFERRALS: FigureColumn<Referrer> = {
  title: 'Referrals',
  sortBy: ({ referrals }) => referrals,
  cell: ({ referrals }) => formatCount(referrals),
};
const CUSTOMERS: FigureColumn<Referrer> = {
  title: 'Customers',
  sortBy: ({ customers }) => customers,
  cell: ({ customers }) => formatCount(customers),
};
const REVENUE: FigureColumn<Referrer> = {
  title: 'Revenue',
  sums: ({ revenue }) => revenue,
  cell: ({ revenue }) => <Sums of={revenue} />,
};
const EARNED: FigureColumn<Referrer> = {
  title: 'Earned, net',
  sums: ({ earned }) => earned,
  cell: ({ earned }) => <Sums of={earned} />,
};

interface ByReferrerProps {
  /** Undefined for all programs. */
  readonly programId: string | undefined;
  /** Where it shares a row of the page. */
  readonly isBrief?: boolean;
}

/** What each of the top referrers or partners has brought, of all time. */
export function ByReferrer({ programId, isBrief = false }: ByReferrerProps) {
  const { id: projectId } = useProject();
  const limit = isBrief ? 8 : 10;
  const { data, error, refetch } = useQuery({
    queryKey: ['top-referrers', projectId, programId, limit],
    queryFn: async () =>
      (
        await answerOf(
          api.GET('/v1/figures/top-referrers', {
            params: { query: { projectId, limit, ...(programId ? { programId } : {}) } },
          }),
        )
      ).data,
  });
  return (
    <FiguresTable
      title="Top referrers, all time"
      columns={isBrief ? [WHO, REFERRALS, EARNED] : [WHO, REFERRALS, CUSTOMERS, REVENUE, EARNED]}
      keyOf={({ participant }) => participant.participantId}
      rows={data}
      empty="No referrals yet. Share a link: the people who refer the most are listed here."
      error={error}
      retry={() => void refetch()}
    />
  );
}
