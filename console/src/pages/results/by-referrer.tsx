import { Paper, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { PersonCell } from '../../ui/person-cell.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { formatCount } from '../home/format-count.ts';
import { Sums } from './sums.tsx';

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
        <div className="wide-table">
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Who</Table.Th>
                <Table.Th ta="end">Referrals</Table.Th>
                <Table.Th ta="end">Customers</Table.Th>
                <Table.Th ta="end">Revenue</Table.Th>
                <Table.Th ta="end">Earned, net</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {top.data.map(({ participant, ...results }) => (
                <Table.Tr key={participant.participantId}>
                  <Table.Td>
                    <PersonCell id={participant.participantId} person={participant} />
                  </Table.Td>
                  <Table.Td ta="end">{formatCount(results.referrals)}</Table.Td>
                  <Table.Td ta="end">{formatCount(results.customers)}</Table.Td>
                  <Table.Td ta="end">
                    <Sums of={results.revenue} />
                  </Table.Td>
                  <Table.Td ta="end">
                    <Sums of={results.earned} />
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
