import Type from 'typebox';
import { projectRoute, type Route, Success, success } from '../../../platform/http/routes/route.ts';
import type { ViewDeps } from '../show-participant.ts';
import { search } from './search.ts';
import { Found, SearchQuery } from './search-schema.ts';

export function searchRoutes({ database }: Pick<ViewDeps, 'database'>): Route[] {
  return [
    projectRoute({
      method: 'GET',
      path: '/v1/search',
      tag: 'Participants',
      summary: 'Find what an id or a name is of',
      description:
        'At most 20, the likeliest first: what has just this id; a participant of this external id; a code or a slug, whatever the case of its letters; a billing id; an Event by its source’s id; then external ids, codes and slugs that begin so. Events, Referrals and Rewards are found with `referrals:read` too, Programs, payouts, applications and endpoints with the permission to read them. E-mail addresses and names are not searched.',
      permissions: ['participants:read'],
      query: SearchQuery,
      answer: Success(Type.Array(Found)),
      example: {
        answer: success([
          {
            type: 'participant',
            id: 'par_01ka3m…',
            label: '42',
            detail: 'Ada',
            participantId: 'par_01ka3m…',
          },
        ]),
      },
      handle: async ({ project, principal, query }) =>
        success(await search(database.reads, project, principal, query.q)),
    }),
  ];
}
