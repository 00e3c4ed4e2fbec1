import { queryOptions, useQuery } from '@tanstack/react-query';
import { createContext } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useProject } from './project.ts';
import { useMay } from './session.ts';

export const clockQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['clock', projectId],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/projects/{projectId}/clock', { params: { path: { projectId } }, signal }),
        )
      ).data,
  });

/** By how much the clock of the page's project is ahead of the real time; 0 unless it is a sandbox. */
export function useClockOffset(): number {
  const { id: projectId, environment } = useProject();
  const mayRead = useMay('programs:read');
  const { data } = useQuery({
    ...clockQuery(projectId),
    enabled: environment === 'sandbox' && mayRead,
    staleTime: 30_000,
  });
  return data?.offsetMs ?? 0;
}

/** The same for components that are also shown outside of projects. */
export const ClockOffset = createContext(0);
