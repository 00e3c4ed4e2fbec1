import Type from 'typebox';
import { projectRoute, type Route, Success, success } from '../../platform/http/routes/route.ts';
import { summarizeProgram } from './figures/summarize-program.ts';
import { type AttentionDeps, listAttention } from './list-attention.ts';
import { Attention, Found, ParticipantDetail, ProgramSummary, SearchQuery } from './schema.ts';
import { search } from './search/search.ts';
import { showParticipant, type ViewDeps } from './show-participant.ts';

const at = '2026-11-15T09:30:00.000Z';
const made = { createdAt: at, updatedAt: at, projectId: 'prj_01ka3m…' };

export function viewRoutes(deps: ViewDeps): Route[] {
  return [
    projectRoute({
      method: 'GET',
      path: '/v1/participants/{id}',
      tag: 'Participants',
      summary: 'Read a participant with its enrollments, codes, links, referrals and events',
      permissions: ['participants:read', 'referrals:read'],
      answer: Success(ParticipantDetail),
      refusals: [{ code: 'NOT_FOUND', when: 'the participant does not exist' }],
      example: {
        answer: success({
          participant: {
            id: 'par_01ka3m…',
            ...made,
            kind: 'individual',
            externalId: '42',
            billingId: null,
            name: 'Ada',
            email: null,
            partnerId: null,
            deletedAt: null,
            readmittedAt: null,
          },
          enrollments: [
            {
              id: 'enr_01ka3m…',
              ...made,
              participantId: 'par_01ka3m…',
              programId: 'prg_01ka3m…',
              startsAt: at,
              endsAt: null,
            },
          ],
          refCodes: [
            {
              id: 'cod_01ka3m…',
              ...made,
              code: 'ada-friends',
              participantId: 'par_01ka3m…',
              programId: 'prg_01ka3m…',
              url: 'https://refer.example.com/l/k7m2p9xw4c/ada-friends',
            },
          ],
          links: [],
          referredBy: null,
          referrals: [],
          events: [],
        }),
      },
      handle: async ({ project, params }) =>
        success(await showParticipant(deps, project, params.id as string)),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/programs/{programId}/summary',
      tag: 'Programs',
      summary: 'Read the totals of a Program',
      permissions: ['referrals:read'],
      answer: Success(ProgramSummary),
      refusals: [{ code: 'NOT_FOUND', when: 'the Program does not exist' }],
      example: {
        answer: success({
          enrollments: 212,
          referrals: 87,
          earnedRewards: 130,
          customTotals: [
            {
              customUnitId: 'unit_01ka3m…',
              unitKey: 'gigabyte',
              name: 'gigabyte',
              namePlural: 'gigabytes',
              rewardCount: 43,
              earnedQuantity: 215,
              fulfilledQuantity: 190,
              pendingQuantity: 15,
              voidedQuantity: 10,
            },
          ],
        }),
      },
      handle: async ({ project, params }) =>
        success(await summarizeProgram(deps, project.id, params.programId as string)),
    }),
  ];
}

export function attentionRoutes(deps: AttentionDeps): Route[] {
  return [
    projectRoute({
      method: 'GET',
      path: '/v1/attention',
      tag: 'Figures',
      summary: 'List the open tasks of a Project',
      description:
        'Everything that needs a person: Rewards to grant or take back by hand (even during their hold) and Rewards that could not be delivered; payout batches to approve or submit, and transfers whose provider has given no answer for 24 hours; partner applications with a verified e-mail address; webhook endpoints with failing deliveries; parked Stripe events; Events that could not be processed. Each task has a number, counted up to 100, and the list that shows the items. Tasks without items are omitted, and so are tasks that you may not see: Rewards and Events need `referrals:read`, payouts `payouts:read`, applications `partners:read` and endpoints `webhooks:read`. Parked events are for the operator.',
      permissions: [],
      answer: Success(Type.Array(Attention)),
      example: {
        answer: success([
          {
            kind: 'rewards_to_grant',
            count: 12,
            isMore: false,
            list: {
              path: '/v1/rewards',
              query: { fulfillmentStatus: 'pending', deliveryMethod: 'operator' },
            },
            endpoint: null,
          },
        ]),
      },
      handle: async ({ project, principal }) =>
        success(await listAttention(deps, project, principal)),
    }),
  ];
}

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
