import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';
import { useProject } from './project.ts';

export type Session = Answer<'/v1/session'>['data'];
export type Membership = Session['memberships'][number];
export type Permission = Membership['permissions'][number];

/** Who is signed in; null when nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    try {
      return (await answerOf(api.GET('/v1/session'))).data;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  if (!data) throw new ApiError(401, 'UNAUTHORIZED', null, 'You are signed out.', null, null);
  return data;
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
