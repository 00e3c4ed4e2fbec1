import Type from 'typebox';
import { JsonText, projectRoute, type Route } from '../http/route.ts';
import { OneOf } from '../kit/schema.ts';
import { type FeedDeps, listEvents } from './list-events.ts';
import { EventEnvelope } from './schema.ts';

const LIMIT_DEFAULT = 100;

export function feedRoutes(deps: FeedDeps): Route[] {
  return [
    projectRoute({
      method: 'GET',
      path: '/v1/webhook-events',
      tag: 'Events',
      summary: 'Read the feed: every event of the Project, in commit order',
      description:
        'Pass the `next` of the last answer as `after`. An event never appears behind a cursor that was already read. With nothing new, `next` is the cursor sent.',
      permissions: ['webhooks:read'],
      query: Type.Object({
        after: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
        apiVersion: Type.Optional(
          OneOf(deps.apiVersions.names, {
            description: 'The version to show the events in; the newest by default.',
          }),
        ),
      }),
      answer: Type.Object({
        success: Type.Literal(true),
        events: Type.Array(EventEnvelope),
        next: Type.String(),
      }),
      refusals: [
        { code: 'INVALID_REQUEST', reason: 'cursor_invalid', when: '`after` is not of this feed' },
        { code: 'INVALID_REQUEST', reason: 'cursor_ahead', when: '`after` lies ahead of the feed' },
      ],
      example: {
        answer: {
          success: true,
          events: [
            {
              id: 'wev_01ka3m…',
              type: 'participant.created',
              apiVersion: '2026-10-04',
              occurredAt: '2026-11-15T09:30:00.000Z',
              projectId: 'prj_01ka3m…',
              environment: 'sandbox',
              data: {
                participant: { participantId: 'par_01ka3m…', kind: 'individual', externalId: '42' },
              },
            },
          ],
          next: 'AAAAAAAAAAG…',
        },
      },
      handle: async ({ project, query }) => {
        const { events, next } = await listEvents(deps, project, {
          after: query.after ?? null,
          limit: query.limit ?? LIMIT_DEFAULT,
          apiVersion: query.apiVersion ?? deps.apiVersions.newest,
        });
        // Added up, not joined: what is added is copied once, when it is sent.
        let list = '';
        for (const { text } of events) list += list === '' ? text : `,${text}`;
        return new JsonText(`{"success":true,"events":[${list}],"next":"${next}"}`);
      },
    }),
  ];
}
