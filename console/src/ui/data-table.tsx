// biome-ignore-all lint/a11y/useSemanticElements: rows are placed one by one and turn into cards, which tables cannot
// biome-ignore-all lint/a11y/useFocusableInteractive: its cells are only read
import { Checkbox, Loader, Skeleton } from '@mantine/core';
import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import {
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import './lists/lists.css';
import { BASE_PATH } from '../app/base-path.ts';
import type { Column } from './lists/column.ts';
import { ListTools } from './lists/list-tools.tsx';
import { ariaSort, SortButton } from './lists/sort-header.tsx';
import { useCompact } from './lists/use-compact.ts';
import { type RowKeys, useRowKeys } from './lists/use-row-keys.ts';
import { useSorting } from './lists/use-sorting.ts';
import { rememberList } from './shown-lists.ts';
import { ErrorState } from './states.tsx';
import type { Endless } from './use-endless.ts';

export type { Column };

interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly onChange: (ids: ReadonlySet<string>) => void;
}

interface DataTableProps<T> {
  /** Announced before the table: "Rewards". */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly list: Endless<T>;
  readonly idOf: (row: T) => string;
  /** Shown when there are no rows: explain what would be here. */
  readonly empty: ReactNode;
  readonly selection?: Selection | undefined;
  /** The number and sums of all that matches, above the list. */
  readonly totals?: ReactNode;
  /** Makes the rows reachable by keys (j and k, arrows), and says what other keys do with one. */
  readonly keys?: RowKeys<T> | undefined;
}

/** What is fixed above the rows hides none that is scrolled to. */
const SCROLL_PADDING = { scrollPaddingStart: 160, scrollPaddingEnd: 16 };

/** A list that fits on a screen needs no switch for its density. */
const FEW_ROWS = 10;

/** Row heights of recent lists, so that going back restores the page as it was. */
const heights = new Map<string, VirtualItem[]>();
const LISTS_KEPT = 10;

function rememberHeights(place: string, items: VirtualItem[]): void {
  heights.delete(place);
  heights.set(place, items);
  const [oldest] = heights.keys();
  if (heights.size > LISTS_KEPT && oldest !== undefined) heights.delete(oldest);
}

/**
 * A list of any length: rows are loaded while scrolling, and only visible ones are drawn. On a
 * phone every row is a card. The first cell should contain the link to the row's object.
 */
export function DataTable<T>(props: DataTableProps<T>) {
  const { label, columns, list, idOf, empty, selection, totals, keys } = props;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const sorting = useSorting(columns, list.rows, !hasNextPage);
  const { rows } = sorting;
  const [isCompact] = useCompact();
  const bodyRef = useRef<HTMLDivElement>(null);
  const offset = useTopOnPage(bodyRef);
  const [address] = useState(() => `${window.location.pathname}${window.location.search} ${label}`);
  const place = `${address} ${isCompact}`;
  const rowHeight = useRef(isCompact ? 33 : 49);
  const virtualizer = useWindowVirtualizer({
    initialMeasurementsCache: heights.get(place) ?? [],
    count: rows.length,
    estimateSize: () => rowHeight.current,
    overscan: 12,
    scrollMargin: offset,
    ...SCROLL_PADDING,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : idOf(row);
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: an id is the same whoever reads it
  useEffect(() => {
    const { pathname, search } = window.location;
    rememberList(`${pathname.slice(BASE_PATH.length)}${search}`, rows.map(idOf));
  }, [rows]);
  useEffect(() => () => rememberHeights(place, virtualizer.takeSnapshot()), [place, virtualizer]);
  // What is not drawn yet is expected to be as high as what is: cards are three times as high as rows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever there are others, or of another density
  useLayoutEffect(() => {
    const row = bodyRef.current?.firstElementChild;
    if (row) rowHeight.current = row.getBoundingClientRect().height || rowHeight.current;
  }, [rows.length, isCompact]);
  const wasCompact = useRef(isCompact);
  useEffect(() => {
    // All rows have another height then. The heights that were remembered are right at first.
    if (wasCompact.current !== isCompact) virtualizer.measure();
    wasCompact.current = isCompact;
  }, [isCompact, virtualizer]);
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= rows.length - 15 && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [last, rows.length, hasNextPage, isFetchingNextPage, fetchNextPage]);

  const chosen = selection?.ids;
  // biome-ignore lint/correctness/useExhaustiveDependencies: an id is the same whoever reads it
  const areAllSelected = useMemo(
    () => chosen !== undefined && chosen.size > 0 && rows.every((row) => chosen.has(idOf(row))),
    [rows, chosen],
  );

  const toggle = (id: string) => {
    if (!selection) return;
    const ids = new Set(selection.ids);
    if (!ids.delete(id)) ids.add(id);
    selection.onChange(ids);
  };
  const { currentId, reach } = useRowKeys({
    keys,
    rows,
    idOf,
    bodyRef,
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
    onSelect: toggle,
  });

  if (list.isPending) return <SkeletonRows />;
  if (list.isError && rows.length === 0) {
    return <ErrorState error={list.error} retry={() => void list.refetch()} />;
  }
  if (rows.length === 0) return empty;
  const hasTools = totals !== undefined || rows.length > FEW_ROWS || isCompact;

  const tracks = [
    ...(selection ? ['2.5rem'] : []),
    ...columns.map(({ width }) => width ?? 'minmax(0, 1fr)'),
  ].join(' ');

  const table = (
    <div
      className="data-table"
      data-compact={isCompact || undefined}
      role="table"
      aria-label={label}
      aria-rowcount={hasNextPage ? -1 : rows.length + 1}
    >
      <div role="rowgroup">
        <div
          role="row"
          aria-rowindex={1}
          className="data-head"
          style={{ gridTemplateColumns: tracks }}
        >
          {selection && (
            <div role="columnheader">
              <Checkbox
                aria-label="Select all rows that are loaded"
                checked={areAllSelected}
                indeterminate={!areAllSelected && selection.ids.size > 0}
                onChange={() => selection.onChange(new Set(areAllSelected ? [] : rows.map(idOf)))}
              />
            </div>
          )}
          {columns.map((column) => {
            const { title, align } = column;
            const isSortable = sorting.isSortable(column);
            const direction = sorting.directionOf(column);
            return (
              <div
                key={title}
                role="columnheader"
                data-align={align}
                aria-sort={ariaSort(isSortable, direction)}
              >
                {isSortable ? (
                  <SortButton
                    title={title}
                    direction={direction}
                    onSort={() => sorting.toggle(column)}
                  />
                ) : (
                  title
                )}
              </div>
            );
          })}
        </div>
      </div>
      <div
        role="rowgroup"
        ref={bodyRef}
        className="data-body"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          const id = idOf(row);
          return (
            <div
              key={item.key}
              ref={virtualizer.measureElement}
              data-index={item.index}
              data-current={id === currentId || undefined}
              onFocus={() => reach(item.index)}
              role="row"
              aria-rowindex={item.index + 2}
              className="data-row"
              style={{
                gridTemplateColumns: tracks,
                transform: `translateY(${item.start - virtualizer.options.scrollMargin}px)`,
              }}
            >
              {selection && (
                <div role="cell" className="data-check">
                  <Checkbox
                    aria-label={`Select ${id}`}
                    checked={selection.ids.has(id)}
                    onChange={() => toggle(id)}
                  />
                </div>
              )}
              <Cells row={row} columns={columns} />
            </div>
          );
        })}
      </div>
      {isFetchingNextPage && (
        <div className="data-more">
          <Loader size="sm" aria-label="Loading more rows" />
        </div>
      )}
      {list.isFetchNextPageError && (
        <ErrorState error={list.error} retry={() => void fetchNextPage()} />
      )}
    </div>
  );
  if (!hasTools) return table;
  return (
    <div className="list-with-tools">
      <ListTools label={label} columns={columns} sorting={sorting} totals={totals} />
      {table}
    </div>
  );
}

interface CellsProps<T> {
  readonly row: T;
  readonly columns: readonly Column<T>[];
}

/** Rendered once per row, however far it is scrolled. */
const Cells = memo(function Cells<T>({ row, columns }: CellsProps<T>) {
  return columns.map(({ title, align, cell }) => (
    <div key={title} role="cell" data-title={title} data-align={align}>
      {cell(row)}
    </div>
  ));
}) as <T>(props: CellsProps<T>) => ReactNode;

/**
 * The distance of an element from the top of the page, independent of scrolling: rows are placed by
 * it. It changes when something above grows, which shows in the page's height.
 */
function useTopOnPage(ref: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  const measure = useCallback(() => {
    const box = ref.current?.getBoundingClientRect();
    if (box) setTop(Math.round(box.top + window.scrollY));
  }, [ref]);
  useLayoutEffect(measure);
  useEffect(() => {
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [measure]);
  return top;
}

function SkeletonRows() {
  return (
    <div className="data-table" aria-busy="true" role="status" aria-label="Loading rows">
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <div key={index} className="data-skeleton">
          <Skeleton height={16} width="22%" />
          <Skeleton height={16} width="34%" />
          <Skeleton height={16} width="14%" />
        </div>
      ))}
    </div>
  );
}
