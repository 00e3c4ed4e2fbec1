import { Table, Text } from '@mantine/core';
import { findDifferences, sayValue } from './find-differences.ts';

interface DifferencesProps {
  readonly changes: Readonly<Record<string, unknown>>;
  readonly before: Readonly<Record<string, unknown>> | null;
}

/** What an entry changed: each value as it was and as it is. */
export function Differences({ changes, before }: DifferencesProps) {
  const rows = findDifferences(changes, before);
  if (rows.length === 0) return <Text c="dimmed">No values were recorded.</Text>;
  const hasBefore = rows.some((row) => row.before !== undefined);
  return (
    <Table verticalSpacing="xs" className="differences">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Value</Table.Th>
          {hasBefore && <Table.Th>Before</Table.Th>}
          <Table.Th>{hasBefore ? 'After' : 'Recorded'}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.name}>
            <Table.Td fw={600}>{row.name}</Table.Td>
            {hasBefore && (
              <Table.Td>
                {row.before === undefined ? '–' : <del>{sayValue(row.before)}</del>}
              </Table.Td>
            )}
            <Table.Td>
              <ins>{sayValue(row.after)}</ins>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
