import { Paper, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { formatMinor } from '../../ui/money.tsx';
import { PersonCell } from '../../ui/person-cell.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { formatCount } from './format-count.ts';

/** The participants with the most referrals, of all time. */
export function TopReferrers({ programId }: { programId: string | undefined }) {
  const { id: projectId } = useProject();
  const top = useQuery({
    queryKey: ['top-referrers', projectId, programId],
    queryFn: async () =>
      (
        await answerOf(
          api.GET('/v1/figures/top-referrers', {
            params: { query: { projectId, limit: 8, ...(programId ? { programId } : {}) } },
          }),
        )
      ).data,
  });
  return (
    <Paper withBorder p="md">
      <Title order={2} mb="sm">
        Top referrers, all time
      </Title>
      {top.isPending && <Lines count={5} />}
      {top.isError && <ErrorState error={top.error} retry={() => void top.refetch()} />}
      {top.data?.length === 0 && (
        <Text c="dimmed">
          No referrals yet. Share a link: the people who refer the most are listed here.
        </Text>
      )}
      {top.data && top.data.length > 0 && (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Who</Table.Th>
              <Table.Th ta="end">Referrals</Table.Th>
              <Table.Th ta="end">Earned, net</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {top.data.map(({ participant, referrals, earned }) => (
              <Table.Tr key={participant.participantId}>
                <Table.Td>
                  <PersonCell id={participant.participantId} person={participant} />
                </Table.Td>
                <Table.Td ta="end">{formatCount(referrals)}</Table.Td>
                <Table.Td ta="end">
                  {earned.length === 0
                    ? '–'
                    : earned.map((one) => (
                        <div key={one.currency}>
                          {formatMinor(one.netAmountMinor, one.currency, one.currencyExponent)}
                        </div>
                      ))}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  );
}
