import Type from 'typebox';
import { JsonText } from '../http/routes/answers.ts';
import { projectRoute, streamRoute } from '../http/routes/project-routes.ts';
import type { Route } from '../http/routes/route.ts';
import { AppError } from '../kit/errors.ts';
import { OneOf } from '../kit/schema.ts';
import type { FeedHints } from './hints.ts';
import { type FeedDeps, findEvent, listEvents, listNewestEvents } from './list-events.ts';
import { EventEnvelope } from './schema.ts';
import { FeedWatch, type StreamQuery, streamEvents } from './stream-events.ts';

const LIMIT_DEFAULT = 100;

const Cursor = Type.String({ minLength: 1, maxLength: 512 });

const REFUSED_CURSORS = [
  {
    code: 'INVALID_REQUEST',
    reason: 'cursor_invalid',
    when: '`after` does not belong to this feed',
  },
  { code: 'INVALID_REQUEST', reason: 'cursor_ahead', when: '`after` is ahead of the feed' },
] as const;

const EXAMPLE = {
  id: 'wev_01ka3m…',
  type: 'participant.created',
  apiVersion: '2026-10-04',
  occurredAt: '2026-11-15T09:30:00.000Z',
  projectId: 'prj_01ka3m…',
  environment: 'sandbox',
  data: { participant: { participantId: 'par_01ka3m…', kind: 'individual', externalId: '42' } },
};

export function feedRoutes(deps: FeedDeps & { readonly hints: FeedHints }): Route[] {
  const watch = new FeedWatch(deps.reads, deps.hints);
  return [
    projectRoute({
      method: 'GET',
      path: '/v1/webhook-events',
      tag: 'Events',
      summary: 'Read the feed: every event of the Project, in commit order',
      description:
        'Pass `next` of the last response as `after`. An event never appears later behind a cursor that was already read. When there are no new events, `next` equals the cursor you sent. To start at the end, request the newest events with `last` and continue with `next`.',
      permissions: ['webhooks:read'],
      query: Type.Object({
        after: Type.Optional(Cursor),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 500,
            default: LIMIT_DEFAULT,
            description: 'Events per page.',
          }),
        ),
        last: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 500,
            description:
              'Return this many of the newest events, in commit order. Cannot be combined with `after` or `limit`.',
          }),
        ),
        apiVersion: Type.Optional(
          OneOf(deps.apiVersions.names, {
            description: 'Version of the events (default: the newest).',
          }),
        ),
      }),
      answer: Type.Object({
        success: Type.Literal(true),
        events: Type.Array(EventEnvelope),
        next: Type.String(),
      }),
      refusals: [
        ...REFUSED_CURSORS,
        { code: 'INVALID_REQUEST', when: '`last` is combined with `after` or `limit`' },
      ],
      example: { answer: { success: true, events: [EXAMPLE], next: 'AAAAAAAAAAG…' } },
      handle: async ({ project, query }) => {
        const { after = null, limit = LIMIT_DEFAULT, last } = query;
        const apiVersion = query.apiVersion ?? deps.apiVersions.newest;
        if (last !== undefined) assertAlone(query);
        const { events, next } =
          last === undefined
            ? await listEvents(deps, project, { after, limit, apiVersion })
            : await listNewestEvents(deps, project, { last, apiVersion });
        // Concatenated, not joined: the text is copied only once, when it is sent.
        let list = '';
        for (const { text } of events) list += list === '' ? text : `,${text}`;
        return new JsonText(`{"success":true,"events":[${list}],"next":"${next}"}`);
      },
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/webhook-events/{eventId}',
      tag: 'Events',
      summary: 'Read one event of the feed',
      description:
        'Returns the event as in the feed. With the `apiVersion` of an endpoint, returns the event as it is sent to that endpoint.',
      permissions: ['webhooks:read'],
      query: Type.Object({ apiVersion: Type.Optional(OneOf(deps.apiVersions.names)) }),
      answer: Type.Object({ success: Type.Literal(true), event: EventEnvelope }),
      refusals: [{ code: 'NOT_FOUND', when: 'the Project’s feed has no such event' }],
      example: { answer: { success: true, event: EXAMPLE } },
      handle: async ({ project, params, query }) => {
        const apiVersion = query.apiVersion ?? deps.apiVersions.newest;
        const { text } = await findEvent(deps, project, params.eventId as string, apiVersion);
        return new JsonText(`{"success":true,"event":${text}}`);
      },
    }),
    streamRoute({
      path: '/v1/webhook-events/stream',
      tag: 'Events',
      summary: 'Follow the feed: every event as it happens, without polling',
      description:
        'An endless stream of server-sent events: the same events as in `GET /v1/webhook-events`, in the same order. `id` is the feed’s cursor after the event, `event` its type and `data` its envelope in one line. If the connection breaks, reconnect with the last `id` as `Last-Event-ID`; no event is missed or repeated. Without a cursor, the stream starts with the oldest event. A comment is sent every 15 seconds. The stream ends when its key expires or is revoked.',
      permissions: ['webhooks:read'],
      query: Type.Object({
        after: Type.Optional(Cursor),
        apiVersion: Type.Optional(OneOf(deps.apiVersions.names)),
      }),
      refusals: [
        ...REFUSED_CURSORS,
        {
          code: 'SERVICE_UNAVAILABLE',
          reason: 'overloaded',
          when: 'too many streams are open, for this Project or in total',
        },
      ],
      example: {
        answer: `retry: 2000\n\nid: AAAAAAAAAAG…\nevent: ${EXAMPLE.type}\ndata: ${JSON.stringify(EXAMPLE)}\n\n:\n\n`,
      },
      handle: async ({ project, query, lastEventId }) =>
        streamEvents({ ...deps, watch }, project, {
          after: toStart(lastEventId, query.after),
          apiVersion: query.apiVersion ?? deps.apiVersions.newest,
        }),
    }),
  ];
}

function assertAlone(query: { after?: string; limit?: number }): void {
  if (query.after === undefined && query.limit === undefined) return;
  const issue = 'cannot be combined with after or limit';
  throw new AppError('INVALID_REQUEST', `Invalid request: last ${issue}.`, {
    details: [{ path: 'last', issue }],
  });
}

/** A reader that reconnects has seen more than its original starting point. */
function toStart(lastEventId: string | null, after: string | undefined): StreamQuery['after'] {
  if (lastEventId !== null) return { cursor: lastEventId, path: 'Last-Event-ID' };
  return after === undefined ? null : { cursor: after, path: 'after' };
}
