import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { BookmarkIcon } from 'lucide-react';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useProject } from '../../app/project.ts';
import { notifyDone, notifyFailed } from '../notify.ts';
import { useFilters } from '../use-filters.ts';
import type { FilterSpec } from './specs.ts';
import { ViewName } from './view-name.tsx';
import { useViews, type ViewList, viewsQuery } from './views.ts';

/** Saves the filters that are set: under a new name, or in the view that is shown. */
export function SaveViewButtons({ list, specs }: { list: ViewList; specs: readonly FilterSpec[] }) {
  const { id: projectId } = useProject();
  const queryClient = useQueryClient();
  const [, setFilters] = useFilters();
  const { current, shown, isChanged, isSaved } = useViews(list, specs);
  const [isNaming, setNaming] = useState(false);
  const refresh = () => queryClient.invalidateQueries(viewsQuery(projectId));
  const update = async () => {
    if (!shown) return;
    try {
      await answerOf(
        api.PATCH('/v1/projects/{projectId}/views/{viewId}', {
          params: { path: { projectId, viewId: shown.id } },
          body: { filters: current },
        }),
      );
      await refresh();
      notifyDone(`The view ${shown.name} is saved.`);
    } catch (error) {
      notifyFailed('The view was not saved', error);
    }
  };
  if (isSaved || Object.keys(current).length === 0) return null;
  return (
    <>
      {shown && isChanged && (
        <Button size="compact-sm" variant="light" onClick={() => void update()}>
          Save changes
        </Button>
      )}
      <Button
        size="compact-sm"
        fw={500}
        variant="subtle"
        leftSection={<BookmarkIcon size={14} />}
        onClick={() => setNaming(true)}
      >
        {shown ? 'Save as…' : 'Save view'}
      </Button>
      {isNaming && (
        <ViewName
          title="Save these filters as a view"
          action="Save"
          onClose={() => setNaming(false)}
          onName={async (name) => {
            const { data } = await answerOf(
              api.POST('/v1/projects/{projectId}/views', {
                params: { path: { projectId } },
                body: { list, name, filters: current },
              }),
            );
            await refresh();
            setFilters({ view: data.id });
          }}
        />
      )}
    </>
  );
}
