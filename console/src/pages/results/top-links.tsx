import { Paper, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { PersonCell } from '../../ui/person-cell.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { formatCount } from '../home/format-count.ts';
import { Sums } from './sums.tsx';

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
        <div className="wide-table">
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Link</Table.Th>
                <Table.Th>Of</Table.Th>
                <Table.Th ta="end">Clicks</Table.Th>
                <Table.Th ta="end">Referrals</Table.Th>
                <Table.Th ta="end">Customers</Table.Th>
                <Table.Th ta="end">Revenue</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {top.data.map(({ linkId, slug, participant, ...results }) => (
                <Table.Tr key={linkId}>
                  <Table.Td>{participant.deletedAt === null ? slug : 'Erased'}</Table.Td>
                  <Table.Td>
                    <PersonCell id={participant.participantId} person={participant} />
                  </Table.Td>
                  <Table.Td ta="end">{formatCount(results.clicks)}</Table.Td>
                  <Table.Td ta="end">{formatCount(results.referrals)}</Table.Td>
                  <Table.Td ta="end">{formatCount(results.customers)}</Table.Td>
                  <Table.Td ta="end">
                    <Sums of={results.revenue} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </Paper>
  );
}
