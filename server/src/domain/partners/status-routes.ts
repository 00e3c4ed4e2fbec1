import { Success, success } from '../../platform/http/routes/answers.ts';
import { CursorList, pageOf, toCursorPage } from '../../platform/http/routes/paging.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { operatorRoute } from '../../platform/http/routes/user-routes.ts';
import type { PartnerRouteDeps } from './partner-deps.ts';
import { findPartnerWorkspace, showPartner, showPartners } from './queries.ts';
import { ListPartners, Partner, PartnerDetail, Suspend } from './schema.ts';
import { reinstatePartner, suspendPartner } from './suspend-partner.ts';

const TAG = 'Partners';
const at = '2026-11-15T09:30:00.000Z';
const partnerExample = {
  id: 'ptn_01ka3m…',
  workspaceId: 'ws_01ka3m…',
  environment: 'live',
  name: 'Ada Example',
  email: 'ada@example.com',
  emailVerifiedAt: at,
  profileType: 'company',
  country: 'GB',
  status: 'active',
  suspendedAt: null,
  suspensionReason: null,
  createdAt: at,
  updatedAt: at,
  erasedAt: null,
};
const detailExample = {
  ...partnerExample,
  participants: [{ projectId: 'prj_01ka3m…', participantId: 'par_01ka3m…' }],
};
const noPartner = { code: 'NOT_FOUND', when: 'the Partner does not exist' } as const;
const erased = {
  code: 'CONFLICT',
  reason: 'invalid_transition',
  when: 'the Partner was erased',
} as const;

/** Routes for operators to view, suspend and reinstate Partners, across all Projects. */
export function partnerStatusRoutes(deps: PartnerRouteDeps): Route[] {
  const itsPartner = {
    what: 'partner',
    find: ({ partnerId }: Readonly<Record<string, string>>) =>
      findPartnerWorkspace(deps.database.reads, partnerId as string),
  };
  return [
    operatorRoute({
      method: 'GET',
      path: '/v1/partners',
      about: 'query',
      permission: 'partners:read',
      tag: TAG,
      summary: 'List the Partners of one Workspace or of all Workspaces, newest first',
      query: ListPartners,
      answer: CursorList(Partner),
      refusals: [{ code: 'NOT_FOUND', when: 'the Workspace does not exist' }],
      example: { answer: { success: true, data: [partnerExample], nextCursor: null } },
      handle: async ({ query }) => {
        const page = toCursorPage(query, 'ptn');
        return pageOf(await showPartners(deps.database.reads, query, page), page, (row) => row);
      },
    }),
    operatorRoute({
      method: 'GET',
      path: '/v1/partners/{partnerId}',
      about: itsPartner,
      permission: 'partners:read',
      tag: TAG,
      summary: 'Read a Partner, with its participant in each Project',
      answer: Success(PartnerDetail),
      refusals: [noPartner],
      example: { answer: success(detailExample) },
      handle: async ({ params }) => success(await showPartner(deps, params.partnerId as string)),
    }),
    operatorRoute({
      method: 'POST',
      path: '/v1/partners/{partnerId}/suspend',
      about: itsPartner,
      permission: 'partners:write',
      tag: TAG,
      summary: 'Suspend a Partner in all Projects',
      description:
        'While suspended, the Partner gets no new Referrals, earns nothing for existing ones, and is not paid. Draft batches are approved without it. It keeps what it earned before. Its own page shows that it is suspended. A repeat returns the same response, with the first reason.',
      body: Suspend,
      answer: Success(PartnerDetail),
      refusals: [noPartner, erased],
      example: {
        body: { reason: 'Bids on our brand name.' },
        answer: success({
          ...detailExample,
          status: 'suspended',
          suspendedAt: at,
          suspensionReason: 'Bids on our brand name.',
        }),
      },
      handle: async ({ request, params, body }) =>
        success(
          await suspendPartner(deps, request, params.partnerId as string, body.reason ?? null),
        ),
    }),
    operatorRoute({
      method: 'POST',
      path: '/v1/partners/{partnerId}/reinstate',
      about: itsPartner,
      permission: 'partners:write',
      tag: TAG,
      summary: 'Reinstate a suspended Partner',
      description:
        'The Partner earns and is paid again. It does not earn for what happened while it was suspended. A repeat returns the same response.',
      answer: Success(PartnerDetail),
      refusals: [noPartner, erased],
      example: { answer: success(detailExample) },
      handle: async ({ request, params }) =>
        success(await reinstatePartner(deps, request, params.partnerId as string)),
    }),
  ];
}
