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
      summary: 'Search by id, code or slug',
      description:
        'Returns at most 20 results, best match first: an object with exactly this id; a participant with this external id; a code or slug (case-insensitive); a billing id; an Event by its source’s id; then external ids, codes and slugs that start with the text. Events, Referrals and Rewards also need `referrals:read`. Programs, payouts, applications and endpoints need the permission to read them. E-mail addresses and names are not searched.',
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
