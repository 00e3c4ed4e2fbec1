import {
  type InfiniteData,
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryClient,
} from '@tanstack/react-query';

/** How many pages of a list are reloaded after an action; scrolling loads more. */
export const PAGES_KEPT = 5;

const isPaged = (data: unknown): data is InfiniteData<unknown> =>
  typeof data === 'object' && data !== null && 'pages' in data && 'pageParams' in data;

/** How many pages of a list are loaded; 0 if it is not a list. */
export const pagesOf = (data: unknown): number => (isPaged(data) ? data.pages.length : 0);

/**
 * Reloads only the beginning of a long list. Otherwise every page ever scrolled to would be
 * requested, one after the other, and the user would wait for that after pressing a button.
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
