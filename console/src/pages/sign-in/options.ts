import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';

/** The ways to sign in here. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: async () => (await answerOf(api.GET('/v1/sign-in-options'))).data,
  staleTime: 300_000,
});
