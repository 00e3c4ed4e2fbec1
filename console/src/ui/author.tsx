import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.ts';
import { useProject } from '../app/project.ts';
import { useMayAdminister, useSession } from '../app/session.ts';
import { describeAuthor } from './describe-author.ts';

/** The people of a workspace, for their names; only administrators may read them. */
export const teamQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['users', workspaceId, 'names'],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/users', { params: { query: { workspaceId, limit: 100 } }, signal }),
        )
      ).data,
    staleTime: 60_000,
  });

/** The author of a change, by name if the user may know it. */
export function Author({ by }: { by: string }) {
  const { workspaceId } = useProject();
  const { user } = useSession();
  const { data = [] } = useQuery({ ...teamQuery(workspaceId), enabled: useMayAdminister() });
  return describeAuthor(by, user.id, new Map(data.map(({ id, name }) => [id, name])));
}
