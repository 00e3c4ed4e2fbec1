import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { BASE_PATH } from '../../app/base-path.ts';
import { forgetSession } from '../../app/session.ts';
import { ownPath } from './own-path.ts';

/** Enters the console after sign-in: at the requested page, or at the start. */
export function useEnter(): (next?: string) => Promise<void> {
  const queryClient = useQueryClient();
  const router = useRouter();
  return async (next) => {
    forgetSession({ withDrafts: false });
    queryClient.clear();
    const path = ownPath(next);
    if (path) router.history.push(`${BASE_PATH}${path}`);
    else await router.navigate({ to: '/' });
  };
}
