import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import { DRAFTS } from './drafts.ts';
import { reloadAtOnce } from './leaving.ts';
import { useProject } from './project.ts';

export type Session = Answer<'/v1/session'>['data'];
export type Membership = Session['memberships'][number];
export type Permission = Membership['permissions'][number];

/**
 * The owner of the open pages. When the session ends the pages stay, with unfinished input, until
 * the same person has signed in again.
 */
let known: Session | null = null;

/** The signed-in user; null if there is none. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    try {
      const session = (await answerOf(api.GET('/v1/session'))).data;
      // Somebody else signed in, in another tab: nothing on these pages belongs to them.
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

/** Forgets the owner of the pages: they signed out, or are about to sign in. */
export function forgetSession({ withDrafts }: { withDrafts: boolean }): void {
  known = null;
  if (!withDrafts) return;
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(DRAFTS)) sessionStorage.removeItem(name);
  }
}

function leaveNothing(): void {
  forgetSession({ withDrafts: true });
  reloadAtOnce();
}

/** The signed-in user, or the last one whose session just ended. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  const session = data ?? known;
  if (!session) throw new ApiError('You are signed out.', { status: 401, code: 'UNAUTHORIZED' });
  return session;
}

export function useMembership(workspaceId: string): Membership | undefined {
  return useSession().memberships.find((one) => one.workspaceId === workspaceId);
}

/** Whether the signed-in user may do this in the project of the page. */
export function useMay(permission: Permission): boolean {
  const { workspaceId } = useProject();
  return useMembership(workspaceId)?.permissions.includes(permission) ?? false;
}

/** Whether they may change settings of the workspace: projects, keys, connections, the team. */
export function useMayAdminister(): boolean {
  const { workspaceId } = useProject();
  return useMembership(workspaceId)?.mayAdminister ?? false;
}
