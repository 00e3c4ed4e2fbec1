import type { ReactNode } from 'react';
import type { SortValue } from './sort-rows.ts';

/** A column of a list. */
export interface Column<T> {
  readonly title: string;
  /** A track of `grid-template-columns` (default `1fr`). */
  readonly width?: string;
  readonly align?: 'right';
  readonly cell: (row: T) => ReactNode;
  /** Sorts a list that is loaded whole by this column. */
  readonly sortBy?: (row: T) => SortValue;
  /** The service returns the list by this time: newest first, or oldest first with `order=asc` in the address. */
  readonly isOrdered?: true;
}
