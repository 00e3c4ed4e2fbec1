import { Table } from '@mantine/core';
import { useProject } from '../../app/project.ts';
import { Money } from '../../ui/money.tsx';
import { Section } from '../../ui/section.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { ThingLink } from '../../ui/thing-link.tsx';
import { BATCH_STATES } from '../payouts/states.ts';
import type { Restore } from './restores.ts';

/** Batches that people pay from a file: no provider can say whether somebody did since the backup. */
export function FilesSection({ restore: { files } }: { restore: Restore }) {
  const project = useProject();
  if (files.length === 0) return null;
  return (
    <Section
      title="Batches paid from a file"
      intro="Somebody may have paid these since the backup, and nobody can be asked. Compare them with your bank before you pay them. If a batch was paid, submit it and record its results: that moves no money."
    >
      <div className="wide-table">
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Batch</Table.Th>
              <Table.Th>Environment</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th>Amount</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {files.map(({ batchId, environment, projectIds, status, totals }) => (
              <Table.Tr key={batchId}>
                <Table.Td>
                  <ThingLink
                    type="payout_batch"
                    id={batchId}
                    projectId={projectIds.find((id) => id === project.id) ?? projectIds[0]}
                  />
                </Table.Td>
                <Table.Td>{environment}</Table.Td>
                <Table.Td>
                  <StatusBadge {...BATCH_STATES[status]} />
                </Table.Td>
                <Table.Td>
                  {totals.map(({ amountMinor, currency, currencyExponent }) => (
                    <div key={currency}>
                      <Money
                        amountMinor={amountMinor}
                        currency={currency}
                        exponent={currencyExponent}
                      />
                    </div>
                  ))}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Section>
  );
}
