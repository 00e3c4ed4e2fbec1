import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { keepOfProject } from '../../ui/keep-of-project.ts';

interface Asked {
  readonly projectId: string;
  readonly from: string;
  readonly to: string;
  readonly programId: string | undefined;
  readonly enabled: boolean;
}

/** The figures of a period, with the totals of the one before. */
export function useFigures({ projectId, from, to, programId, enabled }: Asked) {
  return useQuery({
    queryKey: ['figures', projectId, from, to, programId],
    queryFn: async () =>
      (
        await answerOf(
          api.GET('/v1/figures/daily', {
            params: {
              query: {
                projectId,
                from,
                to,
                compare: 'previous',
                ...(programId ? { programId } : {}),
              },
            },
          }),
        )
      ).data,
    enabled,
    placeholderData: keepOfProject(projectId),
  });
}
