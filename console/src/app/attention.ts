import { queryOptions } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../api/client.ts';

export type Matter = Answer<'/v1/attention'>['data'][number];

const MINUTE_MS = 60_000;

/** What waits for a person. */
export const attentionQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['attention', projectId],
    queryFn: async () =>
      (await answerOf(api.GET('/v1/attention', { params: { query: { projectId } } }))).data,
    refetchInterval: MINUTE_MS,
  });

/** `12`, `100+`; undefined if there is nothing. */
export function sayWaiting(matters: readonly Matter[], kind: Matter['kind']): string | undefined {
  const matter = matters.find((one) => one.kind === kind);
  return matter && `${matter.count}${matter.isMore ? '+' : ''}`;
}
