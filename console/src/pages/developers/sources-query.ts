import { queryOptions } from '@tanstack/react-query';
import { answerOf, api, type Row } from '../../api/client.ts';

export type Source = Row<'/v1/sources'>;

export const sourcesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['sources', projectId],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET('/v1/sources', { params: { query: { projectId } }, signal }))).data,
  });
