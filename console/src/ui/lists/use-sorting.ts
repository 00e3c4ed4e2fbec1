import { useMemo, useState } from 'react';
import { useFilters } from '../use-filters.ts';
import type { Column } from './column.ts';
import { type Direction, sortRows } from './sort-rows.ts';
import { useOrder } from './use-list-query.ts';

interface Sorted {
  readonly title: string;
  readonly direction: Direction;
}

/**
 * How the rows of a list are sorted. A list that is loaded whole is sorted here, by any column with a value; a longer
 * one only by the service, which returns it newest or oldest first: sorting its loaded rows alone would mislead.
 */
export function useSorting<T>(columns: readonly Column<T>[], rows: readonly T[], isWhole: boolean) {
  const [chosen, setChosen] = useState<Sorted | null>(null);
  const [, setFilters] = useFilters();
  const order = useOrder();
  const column = columns.find(({ title }) => title === chosen?.title);
  const readValue = isWhole ? column?.sortBy : undefined;
  const direction = chosen?.direction ?? 'asc';
  const sorted = useMemo(
    () => (readValue ? sortRows(rows, readValue, direction) : rows),
    [rows, readValue, direction],
  );
  const isSortable = (one: Column<T>) =>
    one.isOrdered === true || (isWhole && rows.length > 1 && one.sortBy !== undefined);
  const directionOf = (one: Column<T>): Direction | null => {
    if (one.isOrdered) return order;
    return readValue && one.title === chosen?.title ? direction : null;
  };
  const sortBy = (one: Column<T>, to: Direction) => {
    if (one.isOrdered) setFilters({ order: to === 'asc' ? 'asc' : undefined });
    else setChosen({ title: one.title, direction: to });
  };
  /** The other direction; times begin with the newest, numbers with the largest, all others with the first. */
  const toggle = (one: Column<T>) => {
    const first = one.align === 'right' ? 'desc' : 'asc';
    const other = first === 'asc' ? 'desc' : 'asc';
    sortBy(one, directionOf(one) === first ? other : first);
  };
  return { rows: sorted, isSortable, directionOf, sortBy, toggle };
}
