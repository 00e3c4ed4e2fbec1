import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { readWarnings } from '../../api/warnings.ts';

export const endpointsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['webhook-endpoints', projectId],
    queryFn: async ({ signal }) => {
      const answer = await answerOf(
        api.GET('/v1/webhook-endpoints', { params: { query: { projectId } }, signal }),
      );
      return { endpoints: answer.endpoints, warnings: readWarnings(answer) };
    },
  });

export const healthQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['webhook-endpoints', projectId, 'health'],
    queryFn: async ({ signal }) => {
      const params = { query: { projectId } };
      return (await answerOf(api.GET('/v1/webhook-endpoints/health', { params, signal }))).data;
    },
  });

export const endpointQuery = (projectId: string, endpointId: string) =>
  queryOptions({
    queryKey: ['webhook-endpoints', projectId, endpointId],
    queryFn: async ({ signal }) => {
      const answer = await answerOf(
        api.GET('/v1/webhook-endpoints/{endpointId}', {
          params: { path: { endpointId }, query: { projectId } },
          signal,
        }),
      );
      return { endpoint: answer.endpoint, warnings: readWarnings(answer) };
    },
  });
