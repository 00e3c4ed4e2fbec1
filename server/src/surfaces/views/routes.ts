import Type from 'typebox';
import type { Permission } from '../../platform/http/access/permissions.ts';
import { isAllowed } from '../../platform/http/access/principal.ts';
import { Success, success } from '../../platform/http/routes/answers.ts';
import { projectRoute } from '../../platform/http/routes/project-routes.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { OneOf } from '../../platform/kit/schema.ts';
import { summarizeProgram } from './figures/summarize-program.ts';
import { FIRST_STEPS } from './first-steps/decide-first-steps.ts';
import { showFirstSteps } from './first-steps/show-first-steps.ts';
import { type AttentionDeps, listAttention } from './list-attention.ts';
import { nameParticipants } from './name-participants.ts';
import {
  Attention,
  Found,
  NAMES_MAX,
  NamedParticipant,
  NamesQuery,
  ParticipantDetail,
  ProgramSummary,
  SearchQuery,
} from './schema.ts';
import { search } from './search/search.ts';
import { showParticipant, type ViewDeps } from './show-participant.ts';

const at = '2026-11-15T09:30:00.000Z';
const named = {
  participantId: 'par_01ka3m…',
  kind: 'individual',
  externalId: '42',
  name: 'Ada',
  partnerId: null,
  deletedAt: null,
};
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
          startingMeasures: [
            {
              programId: 'prg_01ka3m…',
              referrals: '12',
              purchases: '0',
              revenue: [],
              importedAt: '2026-11-15T09:30:00.000Z',
            },
          ],
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
    projectRoute({
      method: 'GET',
      path: '/v1/first-steps',
      tag: 'Figures',
      summary: 'List the first steps of a Project, and which are done',
      description:
        'Each step is done once it has happened. `program`, `source`, `first_event`, `first_signup`: there is one. `first_click`: a browser has followed a link. `api_key`: a key has called for this Project. `landing_script`: a page of an allowed origin has reported a landing. `delivery`: a webhook delivery succeeded, a payout was paid, or a Reward was granted in another way. `widget`: somebody has opened the widget.',
      permissions: ['programs:read'],
      answer: Success(
        Type.Array(
          Type.Object({ step: OneOf(FIRST_STEPS), isDone: Type.Boolean() }, { title: 'FirstStep' }),
        ),
      ),
      example: { answer: success([{ step: 'program', isDone: true }]) },
      handle: async ({ project }) => success(await showFirstSteps(deps, project.id)),
    }),
  ];
}

export function searchRoutes({ database }: Pick<ViewDeps, 'database'>): Route[] {
  return [
    projectRoute({
      method: 'GET',
      path: '/v1/search',
      tag: 'Participants',
      summary: 'Search by name, e-mail address, id, code or slug',
      description:
        'Returns at most 20 results, best match first: an object with exactly this id; a participant with this external id; a code or slug; a billing id; an Event by its source’s id; then participants whose external id, name (from any of its words on) or e-mail address starts with the text, and codes and slugs that do. Upper and lower case are the same, and so are letters with and without accents in names. Partners are found by their name and e-mail address with `partners:read` only. Events, Referrals and Rewards also need `referrals:read`. Programs, payouts, applications and endpoints need the permission to read them. Names and e-mail addresses are searched for people who look for somebody; they are never used to match participants.',
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
            participant: named,
          },
        ]),
      },
      handle: async ({ project, principal, query }) =>
        success(await search(database.reads, project, principal, query.q)),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/participant-names',
      tag: 'Participants',
      summary: `Read the names of up to ${NAMES_MAX} participants`,
      description:
        'For lists that contain ids: one call names everybody on a page. Participants come in the order of `ids`, each once. Unknown ids are omitted. Only callers with `partners:read` get a partner’s name.',
      permissions: ['participants:read'],
      query: NamesQuery,
      answer: Success(Type.Array(NamedParticipant)),
      example: { answer: success([named]) },
      handle: async ({ project, principal, query }) => {
        const ids = [...new Set(query.ids.split(','))];
        const may = (permission: Permission) =>
          isAllowed(principal, permission, project.workspaceId);
        const people = await nameParticipants(database.reads, project.id, may, ids);
        return success(ids.flatMap((id) => people.get(id) ?? []));
      },
    }),
  ];
}
