import type { QueryKey } from '@tanstack/react-query';

/**
 * Keeps the previous data while the next is loading, but never that of another project: its figures
 * would appear under the wrong name. The key contains the project in second place.
 */
export const keepOfProject =
  (projectId: string) =>
  <T>(before: T | undefined, query: { readonly queryKey: QueryKey } | undefined): T | undefined =>
    query?.queryKey[1] === projectId ? before : undefined;
