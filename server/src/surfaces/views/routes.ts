import { projectRoute, type Route, Success, success } from '../../platform/http/routes/route.ts';
import { summarizeProgram } from './figures/summarize-program.ts';
import { ParticipantDetail, ProgramSummary } from './schema.ts';
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
