import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { BASE_PATH } from '../../app/base-path.ts';
import { forgetSession } from '../../app/session.ts';

/** Goes on into the console once there is a session: to where one wanted to go, or to the start. */
export function useEnter(): (next?: string) => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async (next) => {
    forgetSession({ withDrafts: false });
    queryClient.clear();
    // Only an address of the console itself: what comes with a link may name any.
    const isOurs = next?.startsWith('/') && !next.startsWith('//') && !next.includes('\\');
    if (isOurs) router.history.push(`${BASE_PATH}${next}`);
    else await router.navigate({ to: '/' });
  };
}
