import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { callAuth } from '../api/auth.ts';
import { notifyFailed } from '../ui/notify.ts';
import { forgetSession } from './session.ts';

/** Signs out, and leaves nothing behind for the next user of this browser. */
export function useSignOut(): () => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    try {
      await callAuth('/sign-out', {});
    } catch (error) {
      notifyFailed('You are still signed in', error);
      return;
    }
    // The session is gone: nothing that was typed can still be saved.
    await navigate({ to: '/sign-in', ignoreBlocker: true });
    forgetSession({ withDrafts: true });
    queryClient.clear();
  };
}
