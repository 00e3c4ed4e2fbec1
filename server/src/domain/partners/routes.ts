import { isAllowed } from '../../platform/http/access/principal.ts';
import { Success, success } from '../../platform/http/routes/answers.ts';
import { CursorList } from '../../platform/http/routes/paging.ts';
import { projectRoute } from '../../platform/http/routes/project-routes.ts';
import { publicRoute } from '../../platform/http/routes/public-routes.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { applyAsPartner } from './applications/apply.ts';
import { approveApplication, rejectApplication } from './applications/approve-or-reject.ts';
import { listApplications } from './applications/list-applications.ts';
import { eraseApplication } from './erase.ts';
import { toListPage } from './list-page.ts';
import type { PartnerRouteDeps } from './partner-deps.ts';
import {
  ApplicationReceipt,
  Apply,
  ListApplications,
  PartnerApplication,
  PartnerDecision,
  Reject,
} from './schema.ts';
import { partnerStatusRoutes } from './status-routes.ts';

const TAG = 'Partners';
const at = '2026-11-15T09:30:00.000Z';
const applicationExample = {
  id: 'preq_4c1v8z…',
  projectId: 'prj_01ka3m…',
  programId: 'prg_01ka3m…',
  status: 'pending',
  name: 'Ada Example',
  email: 'ada@example.com',
  emailVerifiedAt: null,
  profileType: 'company',
  companyName: 'Example Reviews Ltd',
  country: 'GB',
  website: 'https://reviews.example.com',
  message: 'We write about shops like yours.',
  createdAt: at,
  updatedAt: at,
  decidedAt: null,
  decidedBy: null,
  rejectionReason: null,
  participantId: null,
  verificationUrl: 'https://refer.example.com/partner-applications/verify?token=prj_01ka3m…',
};
const decisionExample = {
  partnerRequestId: 'preq_4c1v8z…',
  programId: 'prg_01ka3m…',
  participantId: 'par_01ka3m…',
  status: 'approved',
  decidedAt: at,
  decidedBy: 'key:key_01ka3m…',
};

export function partnerRoutes(deps: PartnerRouteDeps): Route[] {
  return [
    ...partnerStatusRoutes(deps),
    publicRoute({
      method: 'POST',
      path: '/v1/partner-applications',
      tag: TAG,
      summary: 'Apply to join an affiliate Program as a partner',
      description:
        'Needs no key. Your backend calls it, for a form on your own page; browsers on other sites cannot. Calls are limited per IP address, so a busy backend needs a higher `APPLICATIONS_PER_MINUTE`. The applicant gets a link by e-mail to verify the address. Only then can the application be approved. Sending it again before a decision returns the same response. Until the address is verified, the new data replaces the earlier data.',
      perMinute: deps.applicationsPerMinute,
      body: Apply,
      answer: Success(ApplicationReceipt),
      refusals: [
        { code: 'NOT_FOUND', when: 'the Program does not exist' },
        {
          code: 'CONFLICT',
          reason: 'program_not_open',
          when: 'the Program is not accepting applications',
        },
      ],
      example: {
        body: {
          projectId: 'prj_01ka3m…',
          programId: 'prg_01ka3m…',
          name: 'Ada Example',
          email: 'ada@example.com',
          profileType: 'company',
          companyName: 'Example Reviews Ltd',
          country: 'GB',
          website: 'https://reviews.example.com',
          message: 'We write about shops like yours.',
        },
        answer: success({ id: 'preq_4c1v8z…', programId: 'prg_01ka3m…', status: 'pending' }),
      },
      handle: async ({ project, body }) => success(await applyAsPartner(deps, project, body)),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/partner-applications',
      tag: TAG,
      summary: 'List partner applications, newest first',
      permissions: ['partners:read'],
      query: ListApplications,
      answer: CursorList(PartnerApplication),
      example: { answer: { success: true, data: [applicationExample], nextCursor: null } },
      handle: ({ principal, project, query }) =>
        listApplications(deps, project, {
          filter: { programId: query.programId ?? null, status: query.status ?? null },
          page: toListPage(query),
          showsLinks: isAllowed(principal, 'partners:write', project.workspaceId),
        }),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/partner-applications/{partnerRequestId}/approve',
      tag: TAG,
      summary: 'Approve a partner application',
      description:
        'The applicant becomes a Partner of the Workspace and joins the Program, with a code and a link. A repeat returns the same response.',
      permissions: ['partners:write'],
      answer: Success(PartnerDecision),
      refusals: [
        { code: 'NOT_FOUND', when: 'the application does not exist' },
        { code: 'CONFLICT', reason: 'application_decided', when: 'it was rejected or withdrawn' },
        {
          code: 'CONFLICT',
          reason: 'invalid_transition',
          when: 'the e-mail address is not verified yet, or the Partner is suspended',
        },
        {
          code: 'CONFLICT',
          reason: 'program_not_open',
          when: 'the Program no longer accepts anyone',
        },
        {
          code: 'CONFLICT',
          reason: 'participant_deleted',
          when: 'the Partner was erased in this Project',
        },
      ],
      example: { body: { projectId: 'prj_01ka3m…' }, answer: success(decisionExample) },
      handle: async ({ project, request, params }) =>
        success(
          await approveApplication(deps, project, request, params.partnerRequestId as string),
        ),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/partner-applications/{partnerRequestId}/reject',
      tag: TAG,
      summary: 'Reject a partner application',
      description:
        'Also possible before the e-mail address is verified. A repeat returns the same response.',
      permissions: ['partners:write'],
      body: Reject,
      answer: Success(PartnerDecision),
      refusals: [
        { code: 'NOT_FOUND', when: 'the application does not exist' },
        { code: 'CONFLICT', reason: 'application_decided', when: 'it was approved or withdrawn' },
      ],
      example: {
        body: { projectId: 'prj_01ka3m…', reason: 'Not a fit for our audience.' },
        answer: success({ ...decisionExample, participantId: null, status: 'rejected' }),
      },
      handle: async ({ request, params, body }) =>
        success(
          await rejectApplication(
            deps,
            request,
            params.partnerRequestId as string,
            body.reason ?? null,
          ),
        ),
    }),
    projectRoute({
      method: 'DELETE',
      path: '/v1/partner-applications/{partnerRequestId}',
      tag: TAG,
      summary: 'Erase a partner application permanently',
      description:
        'For an applicant who did not become a partner. Deletes the data they entered and withdraws a pending application. The id and the decision are kept. A repeat returns the same response.',
      permissions: ['partners:write'],
      answer: Success(PartnerDecision),
      refusals: [
        { code: 'NOT_FOUND', when: 'the application does not exist' },
        {
          code: 'CONFLICT',
          reason: 'application_decided',
          when: 'it was approved: erase the participant instead',
        },
      ],
      example: {
        answer: success({ ...decisionExample, participantId: null, status: 'withdrawn' }),
      },
      handle: async ({ project, request, params }) =>
        success(await eraseApplication(deps, project, request, params.partnerRequestId as string)),
    }),
  ];
}
