import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import { useProject } from './project.ts';

export type Session = Answer<'/v1/session'>['data'];
export type Membership = Session['memberships'][number];
export type Permission = Membership['permissions'][number];

/** What the browser keeps of unfinished work begins with this; it goes when its person signs out. */
export const DRAFTS = 'goodword-draft-';

/**
 * Whose pages these are. When the session ends they stay, with what is half typed in them, until
 * the same person has signed in again.
 */
let known: Session | null = null;

/** Who is signed in; null when nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    try {
      const session = (await answerOf(api.GET('/v1/session'))).data;
      // Somebody else signed in, in another tab: nothing of these pages is theirs.
      if (known && known.user.id !== session.user.id) leaveNothing();
      known = session;
      return session;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
  refetchOnWindowFocus: 'always',
});

/** Forgets whose pages these were: they signed out, or are about to sign in. */
export function forgetSession({ withDrafts }: { withDrafts: boolean }): void {
  known = null;
  if (!withDrafts) return;
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(DRAFTS)) sessionStorage.removeItem(name);
  }
}

function leaveNothing(): void {
  forgetSession({ withDrafts: true });
  window.location.reload();
}

/** Whoever is signed in, or was until just now. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  const session = data ?? known;
  if (!session) throw new ApiError('You are signed out.', { status: 401, code: 'UNAUTHORIZED' });
  return session;
}

export function useMembership(workspaceId: string): Membership | undefined {
  return useSession().memberships.find((one) => one.workspaceId === workspaceId);
}

/** Whether the signed-in person may do this in the Project of the page. */
export function useMay(permission: Permission): boolean {
  const { workspaceId } = useProject();
  return useMembership(workspaceId)?.permissions.includes(permission) ?? false;
}

/** Whether they may change settings of the Workspace: projects, keys, connections, the team. */
export function useMayAdminister(): boolean {
  const { workspaceId } = useProject();
  return useMembership(workspaceId)?.mayAdminister ?? false;
}
