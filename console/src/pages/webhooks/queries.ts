import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';

export const endpointsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['webhook-endpoints', projectId],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/webhook-endpoints', { params: { query: { projectId } }, signal }),
        )
      ).endpoints,
  });

export const endpointQuery = (projectId: string, endpointId: string) =>
  queryOptions({
    queryKey: ['webhook-endpoints', projectId, endpointId],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/webhook-endpoints/{endpointId}', {
            params: { path: { endpointId }, query: { projectId } },
            signal,
          }),
        )
      ).endpoint,
  });
