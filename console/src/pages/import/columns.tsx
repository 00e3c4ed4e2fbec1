import { ScrollArea, Select, SimpleGrid, Table } from '@mantine/core';
import type { CsvTable } from '../../ui/parse-csv.ts';
import { Section } from '../../ui/section.tsx';
import { FIELD_NAMES, FIELDS, type Mapping } from './plan-import.ts';

interface ColumnsProps {
  readonly table: CsvTable;
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
}

/** The assignment of columns to fields, with the first rows to check it. */
export function Columns({ table, mapping, onChange }: ColumnsProps) {
  const data = table.header.map((name, index) => ({
    value: String(index),
    label: name || `Column ${index + 1}`,
  }));
  return (
    <Section title="Match the columns">
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        {FIELD_NAMES.map((field) => {
          const column = mapping[field];
          return (
            <Select
              key={field}
              label={FIELDS[field].label}
              required={field === 'externalId'}
              placeholder="Not in the file"
              data={data}
              clearable={field !== 'externalId'}
              value={column === null ? null : String(column)}
              onChange={(value) =>
                onChange({ ...mapping, [field]: value === null ? null : Number(value) })
              }
            />
          );
        })}
      </SimpleGrid>
      <ScrollArea mt="md" viewportProps={{ tabIndex: 0, 'aria-label': 'The first rows' }}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              {data.map(({ value, label }) => (
                <Table.Th key={value}>{label}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {table.rows.slice(0, 5).map((cells, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name
              <Table.Tr key={line}>
                {data.map(({ value }) => (
                  <Table.Td key={value}>{cells[Number(value)]}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
    </Section>
  );
}
