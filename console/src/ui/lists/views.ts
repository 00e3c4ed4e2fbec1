import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, api, type Row } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { useFilters } from '../use-filters.ts';
import { type FilterSpec, isSameView, namesOf, pickSet } from './specs.ts';

export type SavedView = Row<'/v1/projects/{projectId}/views'>;
export type ViewList = SavedView['list'];

export const viewsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['views', projectId],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET('/v1/projects/{projectId}/views', { params: { path: { projectId } }, signal }),
        )
      ).data,
    staleTime: 60_000,
  });

/** What a view of a list may contain: its filters, and the order where it has one. */
export const viewNames = (specs: readonly FilterSpec[]): readonly string[] => [
  ...specs.flatMap(namesOf),
  'order',
];

/** What a view shows: without values that the list no longer takes. */
export const shownFilters = ({ filters, invalidFilters }: SavedView): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).filter(([name]) => !invalidFilters.includes(name)));

/** The views of a list, which of them is shown, and whether the filters differ from it by now. */
export function useViews(list: ViewList, specs: readonly FilterSpec[]) {
  const { id: projectId } = useProject();
  const [filters] = useFilters();
  const { data = [] } = useQuery(viewsQuery(projectId));
  const views = data.filter((view) => view.list === list);
  const current = pickSet(viewNames(specs), filters);
  const same = views.find((view) => isSameView(view.filters, current));
  const shown = views.find(({ id }) => id === filters.view) ?? same;
  const isChanged = shown !== undefined && !isSameView(shown.filters, current);
  return { views, current, shown, isChanged, isSaved: same !== undefined };
}
