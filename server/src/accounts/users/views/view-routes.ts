import Type from 'typebox';
import { Success, success } from '../../../platform/http/routes/answers.ts';
import type { Route } from '../../../platform/http/routes/route.ts';
import { operatorRoute } from '../../../platform/http/routes/user-routes.ts';
import { viewExample } from '../examples.ts';
import { ChangeView, SavedView, SaveView } from '../schema.ts';
import { VIEWS_MAX } from './decide-view.ts';
import { changeView, removeView, saveView, showViews, toOwner, type ViewDeps } from './views.ts';

const TAG = 'Team';
/** Every role has it. */
const permission = 'programs:read';
const usersOnly = {
  code: 'FORBIDDEN',
  when: 'the caller is not a signed-in user: views belong to users',
} as const;
const noProject = { code: 'NOT_FOUND', when: 'the Project does not exist' } as const;
const noThing = {
  code: 'NOT_FOUND',
  when: 'an id in the filters names nothing in the Project',
} as const;
const nameTaken = {
  code: 'CONFLICT',
  reason: 'name_taken',
  when: 'another view of the list has this name, or one that looks the same',
} as const;

/** The views of lists that a user of the console saved. */
export function viewRoutes(deps: ViewDeps): Route[] {
  return [
    operatorRoute({
      method: 'GET',
      path: '/v1/projects/{projectId}/views',
      about: 'project',
      permission,
      tag: TAG,
      summary: 'List the views that the signed-in user saved in a Project',
      description: 'In the order in which they were saved, of all lists.',
      answer: Success(Type.Array(SavedView)),
      refusals: [noProject, usersOnly],
      example: { answer: success([viewExample]) },
      handle: async ({ principal, request }) =>
        success(await showViews(deps, toOwner(principal, request))),
    }),
    operatorRoute({
      method: 'POST',
      path: '/v1/projects/{projectId}/views',
      about: 'project',
      permission,
      tag: TAG,
      summary: 'Save the filters of a list under a name',
      description: `For the signed-in user alone. A list has at most ${VIEWS_MAX} views. The values must be values of the filters. Characters that are not seen are removed from the name. A repeat returns the view of the first call.`,
      body: SaveView,
      answer: Success(SavedView),
      refusals: [
        noProject,
        noThing,
        usersOnly,
        {
          ...nameTaken,
          when: 'a view of the list has this name and other filters, or a name that looks the same',
        },
        {
          code: 'CONFLICT',
          reason: 'limit_reached',
          when: `the list has ${VIEWS_MAX} views already`,
        },
      ],
      example: {
        body: { list: viewExample.list, name: viewExample.name, filters: viewExample.filters },
        answer: success(viewExample),
      },
      handle: async ({ principal, request, body }) =>
        success(await saveView(deps, toOwner(principal, request), body)),
    }),
    operatorRoute({
      method: 'PATCH',
      path: '/v1/projects/{projectId}/views/{viewId}',
      about: 'project',
      permission,
      tag: TAG,
      summary: 'Rename a view, or replace its filters',
      description: 'Omitted fields keep their values.',
      body: ChangeView,
      answer: Success(SavedView),
      refusals: [
        { code: 'NOT_FOUND', when: 'the user has no such view in the Project' },
        noThing,
        usersOnly,
        nameTaken,
      ],
      example: {
        body: { name: 'Waiting' },
        answer: success({ ...viewExample, name: 'Waiting' }),
      },
      handle: async ({ principal, request, params, body }) =>
        success(await changeView(deps, toOwner(principal, request), params.viewId as string, body)),
    }),
    operatorRoute({
      method: 'DELETE',
      path: '/v1/projects/{projectId}/views/{viewId}',
      about: 'project',
      permission,
      tag: TAG,
      summary: 'Delete a view',
      description: 'A repeat changes nothing.',
      answer: Success(Type.Object({ id: Type.String() })),
      refusals: [noProject, usersOnly],
      example: { answer: success({ id: viewExample.id }) },
      handle: async ({ principal, request, params }) => {
        const id = params.viewId as string;
        await removeView(deps, toOwner(principal, request), id);
        return success({ id });
      },
    }),
  ];
}
