import { Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type Row } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { type SortedColumn, SortedTable } from '../../ui/lists/sorted-table.tsx';
import { personLabel } from '../../ui/person.ts';
import { PersonCell } from '../../ui/person-cell.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { formatCount } from '../home/format-count.ts';
import { compareSums } from './compare-sums.ts';
import { Sums } from './sums.tsx';

const COUNTS: readonly SortedColumn<Row<'/v1/figures/top-referrers'>>[] = [
  {
    title: 'Referrals',
    align: 'end',
    sortBy: ({ referrals }) => referrals,
    cell: ({ referrals }) => formatCount(referrals),
  },
  {
    title: 'Customers',
    align: 'end',
    sortBy: ({ customers }) => customers,
    cell: ({ customers }) => formatCount(customers),
  },
];

/** What each of the top referrers or partners of a program has brought, of all time. */
export function ByReferrer({ programId }: { programId: string }) {
  const { id: projectId } = useProject();
  const top = useQuery({
    queryKey: ['referrer-results', projectId, programId],
    queryFn: async () =>
      (
        await answerOf(
          api.GET('/v1/figures/top-referrers', {
            params: { query: { projectId, programId, limit: 10 } },
          }),
        )
      ).data,
  });
  return (
    <Paper withBorder p="md" h="100%">
      <Title order={2} mb="sm">
        Top referrers, all time
      </Title>
      {top.isPending && <Lines count={5} />}
      {top.isError && <ErrorState error={top.error} retry={() => void top.refetch()} />}
      {top.data?.length === 0 && <Text c="dimmed">Nobody has referred anybody yet.</Text>}
      {top.data && top.data.length > 0 && (
        <SortedTable
          rows={top.data}
          idOf={({ participant }) => participant.participantId}
          columns={[
            {
              title: 'Who',
              sortBy: ({ participant: one }) => personLabel(one, one.participantId),
              cell: ({ participant: one }) => <PersonCell id={one.participantId} person={one} />,
            },
            ...COUNTS,
            {
              title: 'Revenue',
              align: 'end',
              sortBy: compareSums(top.data, ({ revenue }) => revenue),
              cell: ({ revenue }) => <Sums of={revenue} />,
            },
            {
              title: 'Earned, net',
              align: 'end',
              sortBy: compareSums(top.data, ({ earned }) => earned),
              cell: ({ earned }) => <Sums of={earned} />,
            },
          ]}
        />
      )}
    </Paper>
  );
}
