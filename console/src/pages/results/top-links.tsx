import { Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type Row } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { type SortedColumn, SortedTable } from '../../ui/lists/sorted-table.tsx';
import { personLabel } from '../../ui/person.ts';
import { PersonCell } from '../../ui/person-cell.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { humanize } from '../../ui/words.ts';
import { formatCount } from '../home/format-count.ts';
import { compareSums } from './compare-sums.ts';
import { Sums } from './sums.tsx';

type TopLink = Row<'/v1/figures/top-links'>;

const nameOf = ({ slug, participant }: TopLink) =>
  participant.deletedAt === null ? slug : 'Erased';

const COUNTS = (['clicks', 'referrals', 'customers'] as const).map(
  (name): SortedColumn<TopLink> => ({
    title: humanize(name),
    align: 'end',
    sortBy: (link) => link[name],
    cell: (link) => formatCount(link[name]),
  }),
);

/** The links with the most referrals, of all time. */
export function TopLinks({ programId }: { programId: string | undefined }) {
  const { id: projectId } = useProject();
  const top = useQuery({
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
    <Paper withBorder p="md" h="100%">
      <Title order={2} mb="sm">
        Top links, all time
      </Title>
      {top.isPending && <Lines count={5} />}
      {top.isError && <ErrorState error={top.error} retry={() => void top.refetch()} />}
      {top.data?.length === 0 && (
        <Text c="dimmed">
          No referrals by links with a name of their own yet. Give a referrer one for each place
          where they share, to see which works.
        </Text>
      )}
      {top.data && top.data.length > 0 && (
        <SortedTable
          rows={top.data}
          idOf={({ linkId }) => linkId}
          columns={[
            { title: 'Link', sortBy: nameOf, cell: nameOf },
            {
              title: 'Of',
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
          ]}
        />
      )}
    </Paper>
  );
}
