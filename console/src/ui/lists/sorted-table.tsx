import './lists.css';
import { Table } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ariaSort, SortButton } from './sort-header.tsx';
import { type Direction, type SortValue, sortRows } from './sort-rows.ts';

interface SortedColumn<T> {
  readonly title: string;
  readonly align?: 'end';
  readonly cell: (row: T) => ReactNode;
  /** Undefined if rows cannot be compared by this column. */
  readonly sortBy?: ((row: T) => SortValue) | undefined;
}

interface SortedTableProps<T> {
  readonly rows: readonly T[];
  readonly columns: readonly SortedColumn<T>[];
  readonly idOf: (row: T) => string;
}

/** A short table, loaded whole, that is sorted by any column. Numbers begin with the largest. */
export function SortedTable<T>({ rows, columns, idOf }: SortedTableProps<T>) {
  const [chosen, setChosen] = useState<{ title: string; direction: Direction } | null>(null);
  const readValue = columns.find(({ title }) => title === chosen?.title)?.sortBy;
  const shown = chosen && readValue ? sortRows(rows, readValue, chosen.direction) : rows;
  return (
    <div className="wide-table">
      <Table>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ title, align, sortBy }) => {
              const isSortable = sortBy !== undefined && rows.length > 1;
              const direction = chosen?.title === title && isSortable ? chosen.direction : null;
              const first = align === 'end' ? 'desc' : 'asc';
              const next = direction === first ? (first === 'asc' ? 'desc' : 'asc') : first;
              return (
                <Table.Th key={title} ta={align} aria-sort={ariaSort(isSortable, direction)}>
                  {isSortable ? (
                    <SortButton
                      title={title}
                      direction={direction}
                      onSort={() => setChosen({ title, direction: next })}
                    />
                  ) : (
                    title
                  )}
                </Table.Th>
              );
            })}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((row) => (
            <Table.Tr key={idOf(row)}>
              {columns.map(({ title, align, cell }) => (
                <Table.Td key={title} ta={align}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
