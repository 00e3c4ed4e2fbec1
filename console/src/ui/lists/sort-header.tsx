import { ArrowDownIcon, ArrowUpDownIcon, ArrowUpIcon } from 'lucide-react';
import type { Direction } from './sort-rows.ts';

const ARIA = { asc: 'ascending', desc: 'descending' } as const;

/** For `aria-sort` of a column header; undefined for columns that cannot be sorted by. */
export const ariaSort = (isSortable: boolean, direction: Direction | null) =>
  isSortable ? (direction === null ? 'none' : ARIA[direction]) : undefined;

interface SortButtonProps {
  readonly title: string;
  readonly direction: Direction | null;
  readonly onSort: () => void;
}

/** The title of a column that sorts the list when it is pressed. */
export function SortButton({ title, direction, onSort }: SortButtonProps) {
  const Icon =
    direction === null ? ArrowUpDownIcon : direction === 'asc' ? ArrowUpIcon : ArrowDownIcon;
  return (
    <button
      type="button"
      className="sort-button"
      data-sorted={direction !== null || undefined}
      onClick={onSort}
    >
      {title}
      <Icon size={13} aria-hidden />
    </button>
  );
}
