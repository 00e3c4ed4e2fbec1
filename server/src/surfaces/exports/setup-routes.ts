import Type from 'typebox';
import { listTeam, showInvitations } from '../../accounts/users/team/team-queries.ts';
import { listKeys } from '../../accounts/workspaces/api-keys/list-keys.ts';
import { listAudit } from '../../accounts/workspaces/audit/queries.ts';
import { ListApiKeys, ListAudit } from '../../accounts/workspaces/schema.ts';
import { ListPartners } from '../../domain/partners/schema.ts';
import { showPartners } from '../../domain/partners/show-partners.ts';
import { showPrograms } from '../../domain/programs/queries.ts';
import { showSources } from '../../domain/tracking/queries.ts';
import { showParked } from '../../outbound/integrations/stripe/parked/queries.ts';
import { showEndpoints } from '../../outbound/webhooks/endpoints/queries.ts';
import type { WriteRequest } from '../../platform/http/access/principal.ts';
import {
  operatorRoute,
  projectOperatorRoute,
  projectRoute,
  type Route,
} from '../../platform/http/routes/route.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import { IdText } from '../../platform/kit/schema.ts';
import { type ExportDeps, exported, openExport } from './open-export.ts';
import {
  API_KEYS,
  AUDIT_LOG,
  INVITATIONS,
  PARTNERS,
  PROGRAMS,
  SOURCES,
  STRIPE_PARKED,
  USERS,
  WEBHOOK_ENDPOINTS,
} from './setup-columns.ts';
import { walkIds, walkWhole } from './walk-lists.ts';

const noWorkspace = { code: 'NOT_FOUND', when: 'the Workspace does not exist' } as const;

/** Lists of the setup: programs, users, partners and the like. */
export function setupRoutes(deps: ExportDeps): Route[] {
  const { reads } = deps.database;
  /** The audit entry belongs to the requested workspace. */
  const inWorkspace = (request: WriteRequest, workspaceId: string) => ({ ...request, workspaceId });
  return [
    projectRoute({
      ...exported('programs', 'Programs', PROGRAMS),
      permissions: ['programs:read'],
      handle: ({ project, request }) =>
        openExport(deps, request, {
          list: 'programs',
          ownerId: project.id,
          columns: PROGRAMS,
          filters: {},
          pages: walkWhole(showPrograms(deps, project)),
        }),
    }),
    projectRoute({
      ...exported('sources', 'sources', SOURCES),
      permissions: ['sources:write'],
      handle: ({ project, request }) =>
        openExport(deps, request, {
          list: 'sources',
          ownerId: project.id,
          columns: SOURCES,
          filters: {},
          pages: walkWhole(showSources(reads, project.id)),
        }),
    }),
    projectRoute({
      ...exported('webhook-endpoints', 'webhook endpoints', WEBHOOK_ENDPOINTS),
      permissions: ['webhooks:read'],
      handle: ({ project, request }) =>
        openExport(deps, request, {
          list: 'webhook-endpoints',
          ownerId: project.id,
          columns: WEBHOOK_ENDPOINTS,
          filters: {},
          pages: walkWhole(showEndpoints(reads, project.id)),
        }),
    }),
    operatorRoute({
      about: 'query',
      permission: 'partners:read',
      ...exported('partners', 'Partners', PARTNERS),
      query: Type.Object({
        ...Type.Omit(ListPartners, ['limit', 'cursor']).properties,
        workspaceId: IdText(),
      }),
      refusals: [noWorkspace],
      handle: ({ request, query }) =>
        openExport(deps, inWorkspace(request, query.workspaceId), {
          list: 'partners',
          ownerId: query.workspaceId,
          columns: PARTNERS,
          filters: query,
          pages: walkIds((page) => showPartners(reads, query, page)),
        }),
    }),
    operatorRoute({
      about: 'query',
      ...exported('api-keys', 'the list of API keys (without the keys themselves)', API_KEYS),
      query: Type.Omit(ListApiKeys, ['limit', 'cursor']),
      refusals: [noWorkspace],
      handle: ({ request, query }) =>
        openExport(deps, inWorkspace(request, query.workspaceId), {
          list: 'api-keys',
          ownerId: query.workspaceId,
          columns: API_KEYS,
          filters: query,
          pages: walkIds((page) => listKeys(reads, query, page)),
        }),
    }),
    operatorRoute({
      about: 'query',
      ...exported('users', 'the users of a Workspace', USERS),
      query: Type.Object({ workspaceId: IdText() }),
      refusals: [noWorkspace],
      handle: ({ request, query: { workspaceId } }) =>
        openExport(deps, inWorkspace(request, workspaceId), {
          list: 'users',
          ownerId: workspaceId,
          columns: USERS,
          filters: {},
          pages: walkIds((page) => listTeam(reads, workspaceId, page)),
        }),
    }),
    operatorRoute({
      about: 'query',
      ...exported('invitations', 'the invitations to a Workspace', INVITATIONS),
      query: Type.Object({ workspaceId: IdText() }),
      refusals: [noWorkspace],
      handle: ({ request, query: { workspaceId } }) => {
        const now = toInstant(deps.clock.nowMs());
        return openExport(deps, inWorkspace(request, workspaceId), {
          list: 'invitations',
          ownerId: workspaceId,
          columns: INVITATIONS,
          filters: {},
          pages: walkIds((page) => showInvitations(reads, workspaceId, page, now)),
        });
      },
    }),
    projectOperatorRoute({
      ...exported('stripe-parked', 'parked Stripe events', STRIPE_PARKED),
      handle: ({ project, request }) =>
        openExport(deps, request, {
          list: 'stripe-parked',
          ownerId: project.id,
          columns: STRIPE_PARKED,
          filters: {},
          pages: walkIds((page) => showParked(reads, project.id, page)),
        }),
    }),
    operatorRoute({
      about: 'query',
      ...exported('audit-log', 'the audit log', AUDIT_LOG),
      query: Type.Omit(ListAudit, ['limit', 'cursor']),
      refusals: [noWorkspace],
      handle: ({ request, query }) =>
        openExport(deps, inWorkspace(request, query.workspaceId), {
          list: 'audit-log',
          ownerId: query.projectId ?? query.workspaceId,
          columns: AUDIT_LOG,
          filters: query,
          pages: walkIds((page) => listAudit(reads, query, page)),
        }),
    }),
  ];
}
