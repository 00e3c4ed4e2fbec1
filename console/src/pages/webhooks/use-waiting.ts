import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { countOf } from '../../ui/words.ts';

const COUNTED_MAX = 100;

/** How many deliveries of an endpoint wait to be sent; the count has a maximum. */
export function usePendingCount(endpointId: string, isAsked: boolean, everyMs: number | false) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ['webhook-deliveries', projectId, endpointId, 'pending-count'],
    queryFn: async ({ signal }) => {
      let count = 0;
      let cursor: string | undefined;
      do {
        const page = await answerOf(
          api.GET('/v1/webhook-endpoints/{endpointId}/deliveries', {
            params: {
              path: { endpointId },
              query: {
                projectId,
                status: 'pending',
                limit: 100,
                ...(cursor ? { cursor } : {}),
              },
            },
            signal,
          }),
        );
        count += page.data.length;
        cursor = page.nextCursor ?? undefined;
      } while (cursor && count < COUNTED_MAX);
      return { count, isMore: cursor !== undefined };
    },
    enabled: isAsked,
    staleTime: 0,
    refetchInterval: everyMs,
  });
}

/** A sentence on what happens to waiting deliveries. */
export function useWaiting(
  endpointId: string,
  isAsked: boolean,
  fate: 'kept' | 'dropped' | 'sent now',
): string {
  const { data } = usePendingCount(endpointId, isAsked, false);
  if (!data) return `Pending deliveries are ${fate}.`;
  if (data.count === 0) return 'There are no pending deliveries.';
  const number = data.isMore
    ? `More than ${data.count} deliveries`
    : countOf(data.count, 'delivery', 'deliveries');
  return `${number} that ${data.count === 1 ? 'waits' : 'wait'} to be sent ${data.count === 1 ? 'is' : 'are'} ${fate}.`;
}

const SINCE_MAX = 1_000;

/**
 * A lower bound for the events that a replay since then would send: those with existing deliveries.
 */
export function useCountSince(endpointId: string, since: string | null) {
  const { id: projectId } = useProject();
  return useQuery({
    queryKey: ['webhook-deliveries', projectId, endpointId, 'since', since],
    queryFn: async ({ signal }) => {
      let count = 0;
      let cursor: string | undefined;
      do {
        const query = { projectId, limit: 100, ...(cursor ? { cursor } : {}) };
        const params = { path: { endpointId }, query };
        const page = await answerOf(
          api.GET('/v1/webhook-endpoints/{endpointId}/deliveries', { params, signal }),
        );
        const newer = page.data.filter(({ occurredAt }) => since !== null && occurredAt >= since);
        count += newer.length;
        cursor = newer.length === page.data.length ? (page.nextCursor ?? undefined) : undefined;
      } while (cursor && count < SINCE_MAX);
      return { count, isMore: cursor !== undefined };
    },
    enabled: since !== null,
    staleTime: 30_000,
  });
}
