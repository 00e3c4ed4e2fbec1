import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { answerOf, api, type Row } from '../api/client.ts';

export type Project = Row<'/v1/projects'>;

/** Every project of every workspace of the signed-in user. */
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async () => {
    const projects: Project[] = [];
    let cursor: string | undefined;
    do {
      const page = await answerOf(
        api.GET('/v1/projects', {
          params: { query: { limit: 100, ...(cursor ? { cursor } : {}) } },
        }),
      );
      projects.push(...page.data);
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    return projects;
  },
  staleTime: 60_000,
});

/** The project in the address. For pages under `/p/$projectId` only. */
export function useProject(): Project {
  const { projectId } = useParams({ strict: false });
  const { data } = useSuspenseQuery(projectsQuery);
  const project = data.find(({ id }) => id === projectId);
  if (!project) throw new Error('This project does not exist, or you have no access to it.');
  return project;
}

const LAST_PROJECT = 'goodword-project';

export function rememberProject(projectId: string): void {
  localStorage.setItem(LAST_PROJECT, projectId);
}

export function lastProject(projects: readonly Project[]): Project | undefined {
  const id = localStorage.getItem(LAST_PROJECT);
  return projects.find((one) => one.id === id) ?? projects[0];
}
