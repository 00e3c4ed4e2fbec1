import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { CUSTOMERS, countColumn, personColumn, REFERRALS, REVENUE } from './figure-columns.tsx';
import { type FigureColumn, FiguresTable } from './figures-table.tsx';

type TopLink = Answer<'/v1/figures/top-links'>['data'][number];

const nameOf = ({ slug, participant }: TopLink) =>
  participant.deletedAt === null ? slug : 'Erased';

const COLUMNS: readonly FigureColumn<TopLink>[] = [
  { title: 'Link', isText: true, sortBy: nameOf, cell: nameOf },
  personColumn('Of'),
  countColumn('Clicks', 'clicks'),
  REFERRALS,
  CUSTOMERS,
  REVENUE,
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
