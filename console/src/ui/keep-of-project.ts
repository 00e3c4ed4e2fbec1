import type { QueryKey } from '@tanstack/react-query';

/**
 * Keeps showing the answer before while the next one is read, but never that of another Project:
 * its figures would stand under a name that they are not of. The key holds the Project second.
 */
export const keepOfProject =
  (projectId: string) =>
  <T>(before: T | undefined, query: { readonly queryKey: QueryKey } | undefined): T | undefined =>
    query?.queryKey[1] === projectId ? before : undefined;
