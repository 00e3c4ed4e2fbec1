import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useMay } from '../../app/session.ts';

interface Source {
  readonly id: string;
  readonly name: string;
}

/** The possible sources of an event; for users who may not list them, that of the newest event. */
export function useSources(): readonly Source[] {
  const { id: projectId } = useProject();
  const mayList = useMay('sources:write');
  const { data = [] } = useQuery({
    queryKey: ['sources', projectId, 'to-choose', mayList],
    queryFn: async ({ signal }): Promise<Source[]> => {
      const about = { params: { query: { projectId } }, signal };
      if (mayList) {
        const { data: sources } = await answerOf(api.GET('/v1/sources', about));
        return sources.filter(({ enabled }) => enabled);
      }
      const { data: events } = await answerOf(api.GET('/v1/events', about));
      return events
        .slice(0, 1)
        .map(({ sourceNamespaceId }) => ({ id: sourceNamespaceId, name: 'As the newest event' }));
    },
  });
  return data;
}
