import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { PAGES_KEPT, pagesOf } from '../app/console-client.ts';

interface Page<T> {
  readonly rows: readonly T[];
  /** The cursor to continue from; null at the end. */
  readonly next: string | null;
}

/** A list that is loaded page by page while scrolling. */
export function useEndless<T>(
  queryKey: QueryKey,
  loadPage: (cursor: string | null, signal: AbortSignal) => Promise<Page<T>>,
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => loadPage(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    // Each page is a call: a long scrolled list is only reloaded after an action.
    staleTime: ({ state }) =>
      pagesOf(state.data) > PAGES_KEPT ? Number.POSITIVE_INFINITY : 10_000,
    refetchOnWindowFocus: false,
  });
  const { data } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  return { ...query, rows };
}

export type Endless<T> = ReturnType<typeof useEndless<T>>;

/** For a list that returns `nextCursor`. */
export const byCursor = <T>(answer: { data: T[]; nextCursor: string | null }): Page<T> => ({
  rows: answer.data,
  next: answer.nextCursor,
});

/** For a list that returns `nextOffset`. */
export const byOffset = <T>(answer: {
  data: T[];
  hasMore: boolean;
  nextOffset: string | number | null;
}): Page<T> => ({
  rows: answer.data,
  next: answer.hasMore && answer.nextOffset !== null ? String(answer.nextOffset) : null,
});

/** For a list whose pages may be empty although more follow: reads on until there are rows. */
export async function untilSome<T>(
  cursor: string | null,
  load: (cursor: string | null) => Promise<Page<T>>,
): Promise<Page<T>> {
  let page = await load(cursor);
  while (page.rows.length === 0 && page.next !== null) page = await load(page.next);
  return page;
}
