import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { personLabel } from '../../ui/person.ts';
import { PersonCell } from '../../ui/person-cell.tsx';
import { formatCount } from '../home/format-count.ts';
import { type FigureColumn, FiguresTable } from './figures-table.tsx';
import { Sums } from './sums.tsx';

type TopLink = Answer<'/v1/figures/top-links'>['data'][number];

const nameOf = ({ slug, participant }: TopLink) =>
  participant.deletedAt === null ? slug : 'Erased';

const COLUMNS: readonly FigureColumn<TopLink>[] = [
  {
    title: 'Link',
    isText: true,
    sortBy: nameOf,
    cell: nameOf,
  },
  {
    title: 'Of',
    isText: true,
    sortBy: ({ participant: one }) => personLabel(one, one.participantId),
    cell: ({ participant }) => <PersonCell id={participant.participantId} person={participant} />,
  },
  { title: 'Clicks', sortBy: ({ clicks }) => clicks, cell: ({ clicks }) => formatCount(clicks) },
  {
    title: 'Referrals',
    sortBy: ({ referrals }) => referrals,
    cell: ({ referrals }) => formatCount(referrals),
  },
  {
    title: 'Customers',
    sortBy: ({ customers }) => customers,
    cell: ({ customers }) => formatCount(customers),
  },
  {
    title: 'Revenue',
    sums: ({ revenue }) => revenue,
    cell: ({ revenue }) => <Sums of={revenue} />,
  },
];

/** The links with the most referrals, of all time. */
export function TopLinks({ programId }: { programId: string | undefined }) {
  const { id: projectId } = useProject();
  const { data, error, refetch } = useQuery({
    queryKey: ['top-links', projectId, programId],
    queryFn: async () =>
      (
        await answerOf(
          api.GET('/v1/figures/top-links', {
            params: { query: { projectId, limit: 10, ...(programId ? { programId } : {}) } },
          }),
        )
      ).data,
  });
  return (
    <FiguresTable
      title="Top links, all time"
      columns={COLUMNS}
      keyOf={({ linkId }) => linkId}
      rows={data}
      empty="No referrals by links with a name of their own yet. Give a referrer one for each place where they share, to see which works."
      error={error}
      retry={() => void refetch()}
    />
  );
}
