import Type from 'typebox';
import { showInvitations } from '../../accounts/users/team/invitations.ts';
import { listTeam } from '../../accounts/users/team/members.ts';
import { listKeys } from '../../accounts/workspaces/api-keys/api-keys.ts';
import { listAudit } from '../../accounts/workspaces/audit-log.ts';
import { ListApiKeys, ListAudit } from '../../accounts/workspaces/schema.ts';
import { walkParticipants } from '../../domain/participants/list-participants.ts';
import { ListParticipants } from '../../domain/participants/schema.ts';
import { listApplications } from '../../domain/partners/applications/list-applications.ts';
import { toListPage } from '../../domain/partners/list-page.ts';
import { showPartners } from '../../domain/partners/queries.ts';
import { ListApplications, ListPartners } from '../../domain/partners/schema.ts';
import { showPrograms } from '../../domain/programs/queries.ts';
import { walkAdjustments } from '../../domain/rewards/read/list-adjustments.ts';
import { listRewards } from '../../domain/rewards/read/list-rewards.ts';
import { ListRewards } from '../../domain/rewards/schema.ts';
import { ListEvents, ListReferrals } from '../../domain/tracking/event-schema.ts';
import { listReferrals, listSources } from '../../domain/tracking/queries.ts';
import { walkEvents } from '../../domain/tracking/read/event-queries.ts';
import { showParked } from '../../outbound/integrations/stripe/parked/queries.ts';
import { toBatch } from '../../outbound/payouts/present.ts';
import { listBatches } from '../../outbound/payouts/queries.ts';
import { ListBatches, ListPayouts } from '../../outbound/payouts/schema.ts';
import { listPayouts } from '../../outbound/payouts/transfers/show-payouts.ts';
import { ListDeliveries } from '../../outbound/webhooks/deliveries/delivery-schema.ts';
import { listEndpointDeliveries } from '../../outbound/webhooks/deliveries/show-deliveries.ts';
import { showEndpoints } from '../../outbound/webhooks/endpoints/queries.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import { IdOf, IdText } from '../../platform/kit/schema.ts';
import * as columns from './columns.ts';
import { PAGE_ROWS, walkCursors, walkIds, walkWhole } from './csv-file.ts';
import { type ExportDeps, projectExport, workspaceExport } from './open-export.ts';
import * as setup from './setup-columns.ts';

// The lists' filters, without the paging parameters.
const PAGING = ['limit', 'cursor'] as const;
const ORDERED_PAGING = [...PAGING, 'order'] as const;
const OfWorkspace = Type.Object({ workspaceId: IdText() });

export function exportRoutes(deps: ExportDeps): Route[] {
  return [...factExports(deps), ...setupExports(deps)];
}

function factExports(deps: ExportDeps): Route[] {
  const { reads } = deps.database;
  return [
    projectExport(deps, {
      list: 'participants',
      what: 'participants',
      columns: columns.PARTICIPANTS,
      permissions: ['participants:read'],
      query: Type.Omit(ListParticipants, ['offset']),
      pages: ({ id }, { kind = null, externalId = null }) =>
        walkParticipants(reads, id, { kind, externalId }, PAGE_ROWS),
    }),
    projectExport(deps, {
      list: 'referrals',
      what: 'Referrals',
      columns: columns.REFERRALS,
      permissions: ['referrals:read'],
      query: Type.Omit(ListReferrals, ORDERED_PAGING),
      pages: ({ id }, query) => {
        const {
          programId = null,
          referrerParticipantId = null,
          refereeParticipantId = null,
        } = query;
        const filter = { programId, referrerParticipantId, refereeParticipantId };
        return walkIds(({ limit, beforeId: behindId }) =>
          listReferrals(reads, id, filter, { order: 'desc', limit, behindId }),
        );
      },
    }),
    projectExport(deps, {
      list: 'events',
      what: 'Events',
      columns: columns.EVENTS,
      permissions: ['referrals:read'],
      query: Type.Omit(ListEvents, ['offset', 'cursor', 'order']),
      pages: ({ id }, { participantId = null, type = null, processingState = null }) =>
        walkEvents(reads, id, { participantId, type, processingState }, PAGE_ROWS),
    }),
    projectExport(deps, {
      list: 'rewards',
      what: 'Rewards',
      columns: columns.REWARDS,
      permissions: ['referrals:read'],
      query: Type.Omit(ListRewards, ORDERED_PAGING),
      pages: (project, query) =>
        walkCursors((page) => listRewards(deps, project, { ...query, ...page })),
    }),
    projectExport(deps, {
      list: 'reward-adjustments',
      what: 'adjustments of Rewards',
      columns: columns.REWARD_ADJUSTMENTS,
      permissions: ['referrals:read'],
      pages: ({ id }) => walkAdjustments(reads, id, PAGE_ROWS),
    }),
    projectExport(deps, {
      list: 'payouts',
      what: 'payouts',
      columns: columns.PAYOUTS,
      permissions: ['payouts:read'],
      query: Type.Omit(ListPayouts, ORDERED_PAGING),
      pages: ({ id }, query) =>
        walkCursors((page) => listPayouts(reads, id, { ...query, ...page })),
    }),
    projectExport(deps, {
      list: 'payout-batches',
      what: 'payout batches',
      columns: columns.PAYOUT_BATCHES,
      permissions: ['payouts:read'],
      query: Type.Omit(ListBatches, PAGING),
      pages: async function* (project, { status = null }) {
        const pages = walkIds((page) => listBatches(reads, project, status, page));
        for await (const rows of pages) yield rows.map(toBatch);
      },
    }),
    projectExport(deps, {
      list: 'partner-applications',
      what: 'partner applications',
      columns: columns.PARTNER_APPLICATIONS,
      permissions: ['partners:read'],
      query: Type.Omit(ListApplications, PAGING),
      pages: (project, { programId = null, status = null }) =>
        walkCursors((page) =>
          listApplications(deps, project, {
            filter: { programId, status },
            page: toListPage(page),
            showsLinks: false,
          }),
        ),
    }),
    projectExport(deps, {
      list: 'webhook-deliveries',
      what: 'the deliveries of an endpoint',
      columns: columns.WEBHOOK_DELIVERIES,
      permissions: ['webhooks:read'],
      query: Type.Object({
        endpointId: IdOf('endpoint'),
        status: ListDeliveries.properties.status,
      }),
      filters: ({ endpointId, status }) => ({ endpointId, status }),
      pages: ({ id }, { endpointId, status }) => {
        const asked = status === undefined ? {} : { status };
        return walkCursors((page) =>
          listEndpointDeliveries(deps, id, endpointId, { ...asked, ...page }),
        );
      },
    }),
  ];
}

/** Lists of the setup: programs, users, partners and the like. */
function setupExports(deps: ExportDeps): Route[] {
  const { reads } = deps.database;
  return [
    projectExport(deps, {
      list: 'programs',
      what: 'Programs',
      columns: setup.PROGRAMS,
      permissions: ['programs:read'],
      pages: (project) => walkWhole(showPrograms(deps, project)),
    }),
    projectExport(deps, {
      list: 'sources',
      what: 'sources',
      columns: setup.SOURCES,
      permissions: ['sources:write'],
      pages: ({ id }) => walkWhole(listSources(reads, id)),
    }),
    projectExport(deps, {
      list: 'webhook-endpoints',
      what: 'webhook endpoints',
      columns: setup.WEBHOOK_ENDPOINTS,
      permissions: ['webhooks:read'],
      pages: ({ id }) => walkWhole(showEndpoints(reads, id)),
    }),
    workspaceExport(deps, {
      list: 'partners',
      what: 'Partners',
      columns: setup.PARTNERS,
      permission: 'partners:read',
      query: Type.Object({
        ...Type.Omit(ListPartners, PAGING).properties,
        workspaceId: IdText(),
      }),
      pages: (query) => walkIds((page) => showPartners(reads, query, page)),
    }),
    workspaceExport(deps, {
      list: 'api-keys',
      what: 'the list of API keys (without the keys themselves)',
      columns: setup.API_KEYS,
      query: Type.Omit(ListApiKeys, PAGING),
      pages: (query) => walkIds((page) => listKeys(reads, query, page)),
    }),
    workspaceExport(deps, {
      list: 'users',
      what: 'the users of a Workspace',
      columns: setup.USERS,
      query: OfWorkspace,
      filters: () => ({}),
      pages: ({ workspaceId }) => walkIds((page) => listTeam(reads, workspaceId, page)),
    }),
    workspaceExport(deps, {
      list: 'invitations',
      what: 'the invitations to a Workspace',
      columns: setup.INVITATIONS,
      query: OfWorkspace,
      filters: () => ({}),
      pages: ({ workspaceId }) => {
        const now = toInstant(deps.clock.nowMs());
        return walkIds((page) => showInvitations(reads, workspaceId, page, now));
      },
    }),
    projectExport(deps, {
      list: 'stripe-parked',
      what: 'parked Stripe events',
      columns: setup.STRIPE_PARKED,
      permissions: null,
      pages: ({ id }) => walkIds((page) => showParked(reads, id, page)),
    }),
    workspaceExport(deps, {
      list: 'audit-log',
      what: 'the audit log',
      columns: setup.AUDIT_LOG,
      query: Type.Omit(ListAudit, PAGING),
      ownerId: ({ projectId }) => projectId,
      pages: (query) => walkIds((page) => listAudit(reads, query, page)),
    }),
  ];
}
