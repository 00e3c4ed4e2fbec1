import Type from 'typebox';
import { answerOnce } from '../../platform/feed/writer/kept-answers.ts';
import { Success, success } from '../../platform/http/routes/answers.ts';
import { CursorList, orderedPageOf, toOrderedPage } from '../../platform/http/routes/paging.ts';
import { projectRoute } from '../../platform/http/routes/project-routes.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { countExample, ListCount, TOTALS_TEXT } from '../../platform/http/routes/totals.ts';
import { notFound } from '../../platform/kit/errors.ts';
import { Closed, Nullable } from '../../platform/kit/schema.ts';
import { BATCH_ANSWER, EVENT_REFUSALS, trackBatch } from './batch/track-batch.ts';
import { type DecideDeps, retryEvent } from './due/settle-due.ts';
import {
  CountEvents,
  CountReferrals,
  Event,
  ListEvents,
  ListedReferral,
  ListReferrals,
  Referral,
  TrackAnswer,
  TrackEvent,
  VISITOR_TEXT,
} from './event-schema.ts';
import { normalizeEvent } from './intake/normalize-event.ts';
import {
  countReferrals,
  explainEvent,
  findReferralById,
  listReferrals,
  type ReferralFilter,
} from './queries.ts';
import { countEvents, findEventById, listEvents } from './read/event-queries.ts';
import { Explanation } from './read/explanation.ts';
import { presentEvent } from './read/present-event.ts';
import { type SimulateDeps, Simulation, simulateEvent } from './read/simulate-event.ts';

const TAG = 'Tracking';
const at = '2026-11-15T09:30:00.000Z';

const signupExample = {
  sourceNamespaceId: 'src_01ka3m…',
  type: 'signup',
  participant: { kind: 'individual', externalId: '43' },
  identify: { handle: 'hdl_3v8k…' },
  refCode: 'user-42',
};
const answerExample = {
  success: true,
  identified: true,
  identifyReason: null,
  eventId: 'evt_01ka3m…',
  participantId: 'par_01ka3m…',
  processingState: 'processed',
  processingReason: 'attributed',
  attribution: {
    referralId: 'ref_01ka3m…',
    programId: 'prg_01ka3m…',
    referrerParticipantId: 'par_01ka3m…',
    touchId: 'tch_01ka3m…',
  },
  refCode: { accepted: true, reason: null },
};
const eventExample = {
  id: 'evt_01ka3m…',
  createdAt: at,
  updatedAt: at,
  projectId: 'prj_01ka3m…',
  participantId: 'par_01ka3m…',
  type: 'signup',
  actorParticipantId: null,
  sourceNamespaceId: 'src_01ka3m…',
  sourceEventId: 'signup:par_01ka3m…',
  occurredAt: at,
  receivedAt: at,
  normalizedFacts: { purchase: null, properties: {} },
  factsHash: '9f2c…',
  processingState: 'processed',
  processingReason: 'attributed',
  attemptCount: 1,
  nextAttemptAt: null,
};
const referralExample = {
  id: 'ref_01ka3m…',
  createdAt: at,
  updatedAt: at,
  projectId: 'prj_01ka3m…',
  referrerParticipantId: 'par_01ka3m…',
  refereeParticipantId: 'par_01ka3m…',
  enrollmentId: 'enr_01ka3m…',
  programId: 'prg_01ka3m…',
  touchId: 'tch_01ka3m…',
  bindingEventId: 'evt_01ka3m…',
  bindingSubscriptionFactId: null,
  bindingOccurredAt: at,
  selectedAt: at,
  policyVersionId: 'pol_01ka3m…',
};

const explanationExample = {
  candidates: [
    {
      touchId: 'tch_01ka3m…',
      programId: 'prg_01ka3m…',
      referrer: 'par_01ka3m…',
      occurredAt: at,
      verdict: 'selected',
      reason: null,
    },
  ],
  rules: [
    {
      ruleId: 'rul_01ka3m…',
      termsVersionId: 'trm_01ka3m…',
      beneficiaryRole: 'referrer',
      verdict: 'earned',
      reason: null,
      rewardId: 'rwd_01ka3m…',
      isRegained: false,
      calculation: { base: null, rateBps: null, rounding: null, result: '1000' },
      condition: null,
      tier: null,
      milestone: null,
    },
  ],
  risk: {
    referralId: 'ref_01ka3m…',
    policyVersionId: 'rkp_01ka3m…',
    mode: 'review' as const,
    score: 40,
    reviewAt: 60,
    signals: [
      {
        signal: 'same_network' as const,
        value: '1',
        points: 25,
        sentence: 'The referrer and the referee were seen in the same network.',
      },
      {
        signal: 'quick_signup' as const,
        value: '4',
        points: 15,
        sentence: 'The signup came 4 seconds after the click.',
      },
    ],
    reviewId: null,
  },
};

export interface EventRouteDeps extends DecideDeps, SimulateDeps {}

export function eventRoutes(deps: EventRouteDeps): Route[] {
  const { tracker } = deps;
  const { reads } = deps.database;
  return [
    projectRoute({
      method: 'POST',
      path: '/v1/track/events',
      tag: TAG,
      summary: 'Report an Event: a signup, a purchase, or a custom Event',
      description:
        'A participant signs up once: a repeated signup returns the first response, even if other fields differ. All other Events are identified by their `sourceEventId`. An unknown code or handle never fails a signup; the response reports it. A purchase that arrives before its signup waits for it, up to a day.',
      permissions: ['track:write'],
      body: TrackEvent,
      anyText: VISITOR_TEXT,
      answer: TrackAnswer,
      refusals: EVENT_REFUSALS,
      example: { body: signupExample, answer: answerExample },
      handle: async ({ request, body }) => tracker.track(request, normalizeEvent(body)),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/track/events/batch',
      tag: TAG,
      summary: 'Report up to 500 Events in one call, with a result for each',
      description:
        'Each Event is accepted or refused on its own, even one with text that cannot be stored. Later Events see the effects of earlier ones. Repeating a batch is safe, because each Event is recognised on its own. An Event may repeat the `projectId` of the call.',
      permissions: ['track:write'],
      bodyBytesMax: 2_097_152,
      body: Type.Object({
        events: Type.Array(Type.Unknown(), { minItems: 1, maxItems: 500 }),
      }),
      // Each Event is checked separately, so that a bad one fails alone.
      anyText: ['events'],
      answer: BATCH_ANSWER,
      example: {
        body: { events: [signupExample] },
        answer: { success: true, results: [answerExample] },
      },
      handle: ({ request, body }) =>
        answerOnce(deps, request, async () => ({
          success: true as const,
          results: await trackBatch(deps, request, body.events),
        })),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/simulations/events',
      tag: TAG,
      summary: 'Dry run: see what an Event would return and earn',
      description:
        'Takes the same body as `POST /v1/track/events`, decides it on the current state of the Project, and writes nothing. It uses up no handle and no limit. Ids of objects that it would create do not exist. It fails wherever the real call would fail.',
      permissions: ['track:write'],
      keepsAnswer: false,
      body: TrackEvent,
      anyText: VISITOR_TEXT,
      answer: Success(Simulation),
      refusals: EVENT_REFUSALS,
      example: {
        body: signupExample,
        answer: success({
          response: answerExample,
          explanation: explanationExample,
          isRepeat: false,
          rewards: [],
        }),
      },
      handle: async ({ project, body }) =>
        success(await simulateEvent(deps, project.id, normalizeEvent(body))),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/events/{id}/retry',
      tag: TAG,
      summary: 'Retry an Event whose processing failed',
      description:
        'For an Event in state `failed`, after the cause was fixed. It is processed immediately, and the response has the outcome. A repeat tries again.',
      permissions: ['track:write'],
      body: Closed({}),
      answer: Success(Event),
      refusals: [
        { code: 'NOT_FOUND', when: 'the Event does not exist' },
        {
          code: 'CONFLICT',
          reason: 'invalid_transition',
          when: 'the Event is not in state `failed`',
        },
      ],
      example: { body: {}, answer: success(eventExample) },
      handle: async ({ request, params }) =>
        success(await retryEvent(deps, request, params.id as string)),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/events',
      tag: TAG,
      summary: 'List Events, newest first or oldest first, 50 per page',
      description:
        'Without filters, page by `offset` or `cursor`; with filters or `order=asc`, by `cursor` only. With `type`, a page can have fewer than 50 rows, or none, although more follow. Continue until `nextCursor` is null.',
      permissions: ['referrals:read'],
      query: ListEvents,
      answer: Type.Object({
        success: Type.Literal(true),
        data: Type.Array(Event),
        hasMore: Type.Boolean(),
        nextOffset: Nullable(Type.String()),
        nextCursor: Nullable(Type.String()),
      }),
      refusals: [
        {
          code: 'INVALID_REQUEST',
          when: '`offset` is combined with a filter, a cursor or `order=asc`',
        },
      ],
      example: {
        answer: {
          success: true,
          data: [eventExample],
          hasMore: false,
          nextOffset: null,
          nextCursor: null,
        },
      },
      handle: ({ project, query }) => listEvents(reads, project.id, query),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/events/totals',
      tag: TAG,
      summary: 'Count the Events that match',
      description: `Takes the filters of the list. Without filters, the count is exact. ${TOTALS_TEXT}`,
      permissions: ['referrals:read'],
      query: CountEvents,
      answer: Success(ListCount),
      example: { answer: success(countExample) },
      handle: async ({ project, query }) => success(await countEvents(reads, project.id, query)),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/events/{id}',
      tag: TAG,
      summary: 'Read an Event with its facts',
      permissions: ['referrals:read'],
      answer: Success(Event),
      refusals: [{ code: 'NOT_FOUND', when: 'the Event does not exist' }],
      example: { answer: success(eventExample) },
      handle: async ({ project, params }) => {
        const row = await findEventById(reads, project.id, params.id as string);
        if (!row) throw notFound('event');
        return success(presentEvent(row));
      },
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/events/{id}/explanation',
      tag: TAG,
      summary: 'Explain the attribution of an Event and the Rewards it earned',
      permissions: ['referrals:read'],
      answer: Success(Explanation),
      refusals: [{ code: 'NOT_FOUND', when: 'the Event does not exist' }],
      example: {
        answer: success(explanationExample),
      },
      handle: async ({ project, params }) =>
        success(await explainEvent(reads, project.id, params.id as string)),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/referrals',
      tag: TAG,
      summary: 'List Referrals, newest first or oldest first',
      description: 'A result must match all filters.',
      permissions: ['referrals:read'],
      query: ListReferrals,
      answer: CursorList(ListedReferral),
      example: {
        answer: {
          success: true,
          data: [
            {
              ...referralExample,
              referrer: { participantId: 'par_01ka3m…', kind: 'individual', externalId: '42' },
              referee: { participantId: 'par_01ka3n…', kind: 'individual', externalId: '43' },
            },
          ],
          nextCursor: null,
        },
      },
      handle: async ({ project, query }) => {
        const page = toOrderedPage(query, 'ref');
        const rows = await listReferrals(reads, project.id, toReferralFilter(query), page);
        return orderedPageOf(rows, page);
      },
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/referrals/totals',
      tag: TAG,
      summary: 'Count the Referrals that match',
      description: `Takes the filters of the list. ${TOTALS_TEXT}`,
      permissions: ['referrals:read'],
      query: CountReferrals,
      answer: Success(ListCount),
      example: { answer: success(countExample) },
      handle: async ({ project, query }) =>
        success(await countReferrals(reads, project.id, toReferralFilter(query))),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/referrals/{id}',
      tag: TAG,
      summary: 'Read a Referral',
      permissions: ['referrals:read'],
      answer: Success(Referral),
      refusals: [{ code: 'NOT_FOUND', when: 'the Referral does not exist' }],
      example: { answer: success(referralExample) },
      handle: async ({ project, params }) => {
        const referral = await findReferralById(reads, project.id, params.id as string);
        if (!referral) throw notFound('referral');
        return success(referral);
      },
    }),
  ];
}

function toReferralFilter(query: CountReferrals): ReferralFilter {
  return {
    programId: query.programId ?? null,
    referrerParticipantId: query.referrerParticipantId ?? null,
    refereeParticipantId: query.refereeParticipantId ?? null,
  };
}
