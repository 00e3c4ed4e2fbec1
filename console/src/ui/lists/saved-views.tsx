import { ActionIcon, Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { EllipsisIcon } from 'lucide-react';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import type { Filters } from '../../app/filters.ts';
import { useProject } from '../../app/project.ts';
import { Confirm } from '../confirm.tsx';
import { notifyDone } from '../notify.ts';
import { useFilters } from '../use-filters.ts';
import { join } from '../words.ts';
import type { FilterSpec } from './specs.ts';
import { ViewName } from './view-name.tsx';
import {
  type SavedView,
  shownFilters,
  useViews,
  type ViewList,
  viewNames,
  viewsQuery,
} from './views.ts';

interface SavedViewsProps {
  readonly list: ViewList;
  readonly specs: readonly FilterSpec[];
}

/** Values change with versions of the service. */
const sayOutdated = ({ invalidFilters }: SavedView): string =>
  `Left out, because the list no longer has these values: ${join(invalidFilters)}. Choose others and save the changes, or delete the view.`;

/** The views that the user saved for this list, as links; nothing before there is one. */
export function SavedViews({ list, specs }: SavedViewsProps) {
  const { views, current, shown, isChanged } = useViews(list, specs);
  if (views.length === 0) return null;
  const names = viewNames(specs);
  const isAll = shown === undefined && Object.keys(current).length === 0;
  const searchOf = (view: SavedView | null) => (before: Filters) => ({
    ...Object.fromEntries(
      Object.entries(before).filter(
        ([name]) => name !== 'view' && name !== 'q' && !names.includes(name),
      ),
    ),
    ...(view ? { ...shownFilters(view), view: view.id } : {}),
  });
  const link = (view: SavedView | null, isShown: boolean) => (
    <Link
      to="."
      search={searchOf(view) as never}
      resetScroll={false}
      // Otherwise every link to this page counts as the current one.
      activeOptions={{ exact: true, includeSearch: true }}
      className="view"
      aria-current={isShown ? 'page' : undefined}
      data-shown={isShown || undefined}
    >
      {view?.name ?? 'All'}
      {view && view.invalidFilters.length > 0 ? (
        <span className="view-changed" title={sayOutdated(view)}>
          outdated
        </span>
      ) : (
        isShown && isChanged && <span className="view-changed">changed</span>
      )}
    </Link>
  );
  return (
    <nav className="views" aria-label="Saved views">
      {link(null, isAll)}
      {views.map((view) => (
        <span key={view.id} className="view-place">
          {link(view, view.id === shown?.id)}
          {view.id === shown?.id && <ViewMenu view={view} />}
        </span>
      ))}
    </nav>
  );
}

function ViewMenu({ view }: { view: SavedView }) {
  const { id: projectId } = useProject();
  const queryClient = useQueryClient();
  const [, setFilters] = useFilters();
  const [asked, setAsked] = useState<'rename' | 'delete' | null>(null);
  const path = { projectId, viewId: view.id };
  const refresh = () => queryClient.invalidateQueries(viewsQuery(projectId));
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={`Actions for the view ${view.name}`}
          >
            <EllipsisIcon size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setAsked('rename')}>Rename…</Menu.Item>
          <Menu.Item onClick={() => setAsked('delete')}>Delete…</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked === 'rename' && (
        <ViewName
          title="Rename the view"
          action="Rename"
          name={view.name}
          onClose={() => setAsked(null)}
          onName={async (name) => {
            await answerOf(
              api.PATCH('/v1/projects/{projectId}/views/{viewId}', {
                params: { path },
                body: { name },
              }),
            );
            void refresh();
          }}
        />
      )}
      <Confirm
        opened={asked === 'delete'}
        onClose={() => setAsked(null)}
        title={`Delete the view ${view.name}?`}
        action="Delete"
        isDangerous
        onConfirm={() =>
          answerOf(api.DELETE('/v1/projects/{projectId}/views/{viewId}', { params: { path } }))
        }
        onDone={async () => {
          // First: leaving the view removes this menu, and with it what is still being read.
          await refresh();
          setFilters({ view: undefined });
          notifyDone(`The view ${view.name} is deleted.`);
        }}
      >
        Only the saved filters are deleted. The list and what is in it stay as they are.
      </Confirm>
    </>
  );
}
