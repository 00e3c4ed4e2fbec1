import { ApiError } from '../api/errors.ts';
import { whenSignedOut } from '../api/send.ts';
import { ConsoleClient } from './console-client.ts';
import { sessionQuery } from './session.ts';

/** Refusals are final; only network failures and a busy service are retried. */
const isPassing = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 502);

export const queryClient = new ConsoleClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < 2 && isPassing(error),
    },
    mutations: { retry: false },
  },
});

// The pages stay as they are, covered until the user signs in again.
whenSignedOut(() => queryClient.setQueryData(sessionQuery.queryKey, null));
