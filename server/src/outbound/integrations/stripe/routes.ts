import Type from 'typebox';
import { Success, success } from '../../../platform/http/routes/answers.ts';
import { hookRoute } from '../../../platform/http/routes/hook-routes.ts';
import {
  CursorList,
  cursorQuery,
  pageOf,
  toCursorPage,
} from '../../../platform/http/routes/paging.ts';
import { projectOperatorRoute } from '../../../platform/http/routes/project-routes.ts';
import type { Refusal, Route } from '../../../platform/http/routes/route.ts';
import { toInstant } from '../../../platform/kit/instant.ts';
import { Nullable, OneOf } from '../../../platform/kit/schema.ts';
import { liveSecrets, openWebhookSecret } from './connections/connection.ts';
import { stripeConnectionRoutes } from './connections/connection-routes.ts';
import { getConnection } from './connections/connection-store.ts';
import { EVENT_TYPES } from './events/map-event.ts';
import { assertOwn, assertShape, readEvent } from './events/read-event.ts';
import { IGNORED_REASONS } from './events/stripe-fact.ts';
import { takeEvent } from './events/take-event.ts';
import { PARKED_REASONS } from './parked/parked.ts';
import { ResolveParked, StripeParked, toParked } from './parked/parked-schema.ts';
import { showParked } from './parked/queries.ts';
import { resolveParked, settleParked } from './parked/settle-parked.ts';
import type { StripeRouteDeps } from './stripe-deps.ts';

const TAG = 'Stripe';
const EVENT_BYTES_MAX = 1_048_576;
/** How many parked events a request handles besides its own; the worker handles the rest. */
const WOKEN_MAX = 10;

const unreadable = (reason: string, when: string): Refusal => ({
  code: 'INVALID_REQUEST',
  reason,
  when,
});

const parkedExample = {
  id: 'spk_01ka3m…',
  projectId: 'prj_01ka3m…',
  connectionId: 'scn_01ka3m…',
  stripeEventId: 'evt_1Q3x9',
  type: 'invoice.paid',
  reason: 'unknown_customer' as const,
  customerId: 'cus_Q3x9',
  objectId: 'in_1Q3x9',
  amountMinor: '1190',
  currency: 'EUR',
  occurredAt: '2026-11-15T09:30:00.000Z',
  parkedAt: '2026-11-15T09:30:02.000Z',
};

export function stripeRoutes(deps: StripeRouteDeps): Route[] {
  const { database, keyring, clock } = deps;
  return [
    ...stripeConnectionRoutes(deps),
    hookRoute({
      path: '/v1/integrations/stripe/{projectId}/{connectionId}',
      tag: TAG,
      summary: 'Receive an event from the connected Stripe account',
      description: `Returns 200 when the event was processed, parked or ignored. Any other status makes Stripe send it again. Select these events at Stripe: ${EVENT_TYPES.map((type) => `\`${type}\``).join(', ')}.`,
      signatureHeader: 'Stripe-Signature',
      bodyBytesMax: EVENT_BYTES_MAX,
      answer: Success(
        Type.Object({
          state: OneOf(['done', 'parked', 'ignored', 'repeated']),
          reason: Nullable(
            OneOf([...IGNORED_REASONS, ...PARKED_REASONS], {
              description: 'Why it was ignored or parked; null otherwise.',
            }),
          ),
        }),
      ),
      refusals: [
        { code: 'NOT_FOUND', when: 'the connection does not exist' },
        unreadable(
          'invalid_signature',
          'the body was not signed with a secret of the connection in the last 300 seconds',
        ),
        unreadable('livemode_mismatch', 'the event is from the other mode (live or test)'),
        unreadable(
          'foreign_account',
          'the event is from an account that is connected to the Project’s account',
        ),
        unreadable(
          'api_version_unsupported',
          'the endpoint at Stripe has an API version before 2025-03-31',
        ),
        unreadable('snapshot_required', 'the event is a thin event'),
        {
          code: 'CONFLICT',
          reason: 'connection_disabled',
          when: 'the connection is disabled',
        },
        {
          code: 'CONFLICT',
          reason: 'source_disabled',
          when: 'the source of the connection is disabled',
        },
      ],
      example: {
        body: { id: 'evt_1Q3x9', object: 'event', type: 'invoice.paid' },
        answer: success({ state: 'done' as const, reason: null }),
      },
      handle: async ({ request, project, params, signed }) => {
        const id = params.connectionId as string;
        const connection = await getConnection(database.reads, project.id, id);
        const nowMs = clock.nowMs();
        const secrets = liveSecrets(connection.webhookSecrets, toInstant(nowMs)).map((secret) =>
          openWebhookSecret(keyring, connection, secret),
        );
        const event = await readEvent(signed, secrets, nowMs);
        assertOwn(event, connection.livemode);
        assertShape(event);
        const taken = await takeEvent(deps, request, connection, event);
        if (taken.state === 'done') await settleParked(deps, project.id, WOKEN_MAX);
        return success({
          state: taken.state,
          reason: 'reason' in taken ? taken.reason : null,
        });
      },
    }),
    projectOperatorRoute({
      method: 'GET',
      path: '/v1/integrations/stripe/parked',
      tag: TAG,
      summary: 'List parked Stripe events, newest first',
      description:
        'An event of an unknown customer is processed as soon as a participant has the customer’s id as `billingId`. An event that refers to another event is processed when that event arrives. Parked events are dropped after 90 days. Those that wait for the end of a refund or dispute are dropped after 540 days.',
      query: Type.Object(cursorQuery),
      answer: CursorList(StripeParked),
      example: { answer: { success: true, data: [parkedExample], nextCursor: null } },
      handle: async ({ project, query }) => {
        const page = toCursorPage(query, 'spk');
        return pageOf(await showParked(database.reads, project.id, page), page, (row) => row);
      },
    }),
    projectOperatorRoute({
      method: 'POST',
      path: '/v1/integrations/stripe/parked/{parkedId}/resolve',
      tag: TAG,
      summary: 'Assign a parked event to a participant',
      description:
        'Processes this one event. For all events of the customer, set the participant’s `billingId` instead. Returns the event as it was before.',
      body: ResolveParked,
      answer: Success(StripeParked),
      refusals: [
        { code: 'NOT_FOUND', when: 'no such event is parked' },
        {
          code: 'CONFLICT',
          reason: 'invalid_transition',
          when: 'it waits for another event, not for a participant',
        },
        {
          code: 'CONFLICT',
          reason: 'participant_deleted',
          when: 'the participant was erased',
        },
      ],
      example: {
        body: { participant: { kind: 'individual', externalId: '42' } },
        answer: success(parkedExample),
      },
      handle: async ({ request, params, body }) => {
        const id = params.parkedId as string;
        const row = await resolveParked(deps, request, id, body.participant);
        await settleParked(deps, request.projectId, WOKEN_MAX);
        return success(toParked(row));
      },
    }),
  ];
}
