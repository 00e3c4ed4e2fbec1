import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { isMoving, type Payout } from './states.ts';

export type PayoutSettings = Answer<'/v1/workspaces/{workspaceId}/payout-settings'>['data'];

export const settingsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['payout-settings', workspaceId],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/workspaces/{workspaceId}/payout-settings', {
            params: { path: { workspaceId } },
            signal,
          }),
        )
      ).data,
  });

export const batchQuery = (projectId: string, batchId: string) =>
  queryOptions({
    queryKey: ['payout-batches', projectId, 'one', batchId],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/payout-batches/{batchId}', {
            params: { path: { batchId }, query: { projectId } },
            signal,
          }),
        )
      ).data,
    refetchInterval: ({ state }) => (state.data && isMoving(state.data.status) ? 1_500 : false),
  });

export const payoutQuery = (projectId: string, payoutId: string) =>
  queryOptions({
    queryKey: ['payouts', projectId, 'one', payoutId],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/payouts/{payoutId}', {
            params: { path: { payoutId }, query: { projectId } },
            signal,
          }),
        )
      ).data,
  });

/**
 * The batch's payouts that a file names, by id. A batch may have any number of payouts: it is read
 * until all are found.
 */
export async function findPayouts(
  projectId: string,
  batchId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Payout>> {
  const requested = new Set(ids);
  const found = new Map<string, Payout>();
  let cursor: string | undefined;
  do {
    const query = { projectId, batchId, limit: 100, ...(cursor ? { cursor } : {}) };
    const page = await answerOf(api.GET('/v1/payouts', { params: { query } }));
    for (const one of page.data) if (requested.has(one.id)) found.set(one.id, one);
    cursor = page.nextCursor ?? undefined;
  } while (cursor && found.size < requested.size);
  return found;
}

/** After a change of a batch or a payout: reloads both, and the rewards in them. */
export function useRefreshPayouts(projectId: string): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    await Promise.all(
      ['payout-batches', 'payouts', 'rewards', 'attention'].map((name) =>
        queryClient.invalidateQueries({ queryKey: [name, projectId] }),
      ),
    );
  };
}
