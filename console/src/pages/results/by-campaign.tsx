import { Paper, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { formatCount } from '../home/format-count.ts';
import { Sums } from './sums.tsx';

interface ByCampaignProps {
  readonly programId: string;
  /** The first and the last day of the period; all of their months are shown. */
  readonly from: string;
  readonly to: string;
}

/** What the people brought who came by each campaign, in the months of the period. */
export function ByCampaign({ programId, from, to }: ByCampaignProps) {
  const { id: projectId } = useProject();
  const [first, last] = [from.slice(0, 7), to.slice(0, 7)];
  const campaigns = useQuery({
    queryKey: ['campaigns', projectId, programId, first, last],
    queryFn: async () =>
      (
        await answerOf(
          api.GET('/v1/figures/campaigns', {
            params: { query: { projectId, programId, from: first, to: last } },
          }),
        )
      ).data,
  });
  const { data } = campaigns;
  return (
    <Paper withBorder p="md" h="100%">
      <Title order={2} mb="sm">
        By campaign, {first === last ? first : `${first} to ${last}`}
      </Title>
      {campaigns.isPending && <Lines count={5} />}
      {campaigns.isError && (
        <ErrorState error={campaigns.error} retry={() => void campaigns.refetch()} />
      )}
      {data?.length === 0 && (
        <Text c="dimmed">
          Nobody was referred by a campaign in these months. Add utm_source, utm_medium or
          utm_campaign to the addresses that you share.
        </Text>
      )}
      {data && data.length > 0 && (
        <div className="wide-table">
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Source</Table.Th>
                <Table.Th>Medium</Table.Th>
                <Table.Th>Campaign</Table.Th>
                <Table.Th ta="end">Referrals</Table.Th>
                <Table.Th ta="end">Customers</Table.Th>
                <Table.Th ta="end">Revenue</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.map(({ source, medium, campaign, isOther, ...results }) => (
                <Table.Tr key={JSON.stringify([source, medium, campaign])}>
                  <Table.Td>{isOther ? 'Other campaigns' : (source ?? '–')}</Table.Td>
                  <Table.Td>{medium ?? '–'}</Table.Td>
                  <Table.Td>{campaign ?? '–'}</Table.Td>
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
