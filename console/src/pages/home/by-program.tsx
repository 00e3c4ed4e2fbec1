import { Anchor, Paper, Table, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useProject } from '../../app/project.ts';
import { formatBps } from '../../ui/format-rate.ts';
import type { Figures } from '../results/numbers.ts';
import { Sums } from '../results/sums.tsx';
import { formatCount } from './format-count.ts';

export function ByProgram({ figures }: { figures: Figures }) {
  const { id: projectId } = useProject();
  return (
    <Paper withBorder p="md">
      <Title order={2} mb="sm">
        By program
      </Title>
      <div className="wide-table">
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Program</Table.Th>
              <Table.Th ta="end">Referrals</Table.Th>
              <Table.Th ta="end">Conversion</Table.Th>
              <Table.Th ta="end">Customers</Table.Th>
              <Table.Th ta="end">Revenue</Table.Th>
              <Table.Th ta="end">Reward cost</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {figures.programs.map(({ programId, name, total }) => (
              <Table.Tr key={programId}>
                <Table.Td>
                  <Anchor
                    component={Link}
                    to="/p/$projectId/programs/$programId"
                    params={{ projectId, programId } as never}
                  >
                    {name}
                  </Anchor>
                </Table.Td>
                <Table.Td ta="end">{formatCount(total.referrals)}</Table.Td>
                <Table.Td ta="end">{formatBps(total.conversionBps)}</Table.Td>
                <Table.Td ta="end">{formatCount(total.customers)}</Table.Td>
                <Table.Td ta="end">
                  <Sums of={total.revenue} />
                </Table.Td>
                <Table.Td ta="end">
                  <Sums of={total.money} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Paper>
  );
}
