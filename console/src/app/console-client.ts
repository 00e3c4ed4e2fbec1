import {
  type InfiniteData,
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
} from '@tanstack/react-query';

/** So many pages of a list are read anew after something was done; whoever scrolls on gets more. */
export const PAGES_KEPT = 5;

const isPaged = (data: unknown): data is InfiniteData<unknown> =>
  typeof data === 'object' && data !== null && 'pages' in data && 'pageParams' in data;

/** How many pages of a list are loaded; none of what is no list. */
export const pagesOf = (data: unknown): number => (isPaged(data) ? data.pages.length : 0);

/**
 * Reads a long list anew from its beginning only: every page that was ever scrolled to would be asked
 * for, one after the other, and whoever has just pressed a button waits for that.
 */
export class ConsoleClient extends QueryClient {
  override invalidateQueries(
    filters?: InvalidateQueryFilters,
    options?: InvalidateOptions,
  ): Promise<void> {
    for (const query of this.getQueryCache().findAll(filters ?? {})) {
      const { data, dataUpdatedAt } = query.state;
      if (!isPaged(data) || data.pages.length <= PAGES_KEPT) continue;
      const shorter = {
        pages: data.pages.slice(0, PAGES_KEPT),
        pageParams: data.pageParams.slice(0, PAGES_KEPT),
      };
      this.setQueryData(query.queryKey, shorter, { updatedAt: dataUpdatedAt });
    }
    return super.invalidateQueries(filters as InvalidateQueryFilters, options);
  }
}
