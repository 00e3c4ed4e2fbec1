import './lists.css';
import { NativeSelect, Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Column } from './column.ts';
import type { Direction } from './sort-rows.ts';
import { useCompact } from './use-compact.ts';
import type { useSorting } from './use-sorting.ts';

interface ListToolsProps<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly sorting: ReturnType<typeof useSorting<T>>;
  /** The number and sums of what matches the filters. */
  readonly totals: ReactNode;
}

/** Above a list: its totals, and how it is shown. On a phone, where rows are cards, it also sorts. */
export function ListTools<T>({ label, columns, sorting, totals }: ListToolsProps<T>) {
  const [isCompact, setCompact] = useCompact();
  const sortable = columns.filter(sorting.isSortable);
  const current = sortable.find((one) => sorting.directionOf(one) !== null);
  return (
    <div className="list-tools">
      {totals}
      {sortable.length > 0 && (
        <NativeSelect
          className="list-sort"
          size="xs"
          aria-label={`Sort ${label.toLowerCase()}`}
          value={current ? `${current.title} ${sorting.directionOf(current)}` : ''}
          onChange={({ currentTarget: { value } }) => {
            const [direction = 'asc', ...title] = value.split(' ').reverse();
            const column = sortable.find((one) => one.title === title.reverse().join(' '));
            if (column) sorting.sortBy(column, direction as Direction);
          }}
          data={[
            ...(current ? [] : [{ value: '', label: 'As listed' }]),
            ...sortable.flatMap(({ title, isOrdered }) =>
              (['desc', 'asc'] as const).map((direction) => ({
                value: `${title} ${direction}`,
                label: isOrdered
                  ? `${direction === 'asc' ? 'Oldest' : 'Newest'} first`
                  : `${title} ${direction === 'asc' ? '↑' : '↓'}`,
              })),
            ),
          ]}
        />
      )}
      <Switch
        className="list-compact"
        size="xs"
        label="Compact"
        checked={isCompact}
        onChange={(event) => setCompact(event.currentTarget.checked)}
      />
    </div>
  );
}
