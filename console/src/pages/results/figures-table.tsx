import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SortValue } from '../../ui/lists/sort-rows.ts';
import { SortedTable } from '../../ui/lists/sorted-table.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState, Lines } from '../../ui/states.tsx';
import { compareSums } from './compare-sums.ts';

export interface FigureColumn<T> {
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  /** Numbers are at the end of their column. */
  readonly isText?: boolean;
  /** Neither this nor `sums`: the table is not sorted by it. */
  readonly sortBy?: (row: T) => SortValue;
  /** The amounts that it shows, by which it is sorted if all are of one currency. */
  readonly sums?: Parameters<typeof compareSums<T>>[1];
}

interface FiguresTableProps<T> {
  readonly title: string;
  readonly columns: readonly FigureColumn<T>[];
  readonly keyOf: (row: T) => string;
  /** Undefined while they load. */
  readonly rows: readonly T[] | undefined;
  readonly empty?: string;
  readonly error?: unknown;
  readonly retry?: () => void;
}

/** A short table of results: who or what, and its numbers. */
export function FiguresTable<T>(props: FiguresTableProps<T>) {
  const { title, columns, keyOf, rows, empty, error, retry } = props;
  return (
    <Section title={title}>
      {error ? (
        <ErrorState error={error} {...(retry ? { retry } : {})} />
      ) : rows === undefined ? (
        <Lines count={5} />
      ) : rows.length === 0 ? (
        <Text c="dimmed">{empty}</Text>
      ) : (
        <div className="figures-table">
          <SortedTable
            rows={rows}
            idOf={keyOf}
            columns={columns.map(({ title: name, cell, isText, sortBy, sums }) => ({
              title: name,
              cell,
              ...(isText ? {} : { align: 'end' as const }),
              sortBy: sortBy ?? (sums && compareSums(rows, sums)),
            }))}
          />
        </div>
      )}
    </Section>
  );
}
