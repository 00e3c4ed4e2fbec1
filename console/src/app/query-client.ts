import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/errors.ts';
import { sessionQuery } from './session.ts';

/** Refusals are final; only what could not be asked, or a busy service, is asked again. */
const isPassing = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 502);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 2 && isPassing(error),
    },
    mutations: { retry: false },
  },
});

queryClient.getQueryCache().subscribe(({ type, query }) => {
  const { error } = query.state;
  const isSignedOut = error instanceof ApiError && error.status === 401;
  if (type === 'updated' && isSignedOut && query.queryKey[0] !== 'session') {
    queryClient.setQueryData(sessionQuery.queryKey, null);
  }
});
