import Type from 'typebox';
import { walkParticipants } from '../../domain/participants/list-participants.ts';
import { ListParticipants } from '../../domain/participants/schema.ts';
import { ListApplications } from '../../domain/partners/schema.ts';
import { walkAdjustments } from '../../domain/rewards/read/list-adjustments.ts';
import { ListRewards } from '../../domain/rewards/schema.ts';
import { ListEvents, ListReferrals } from '../../domain/tracking/event-schema.ts';
import { walkEvents } from '../../domain/tracking/read/list-events.ts';
import { ListBatches, ListPayouts } from '../../outbound/payouts/schema.ts';
import { ListDeliveries } from '../../outbound/webhooks/deliveries/delivery-schema.ts';
import type { ProjectRef, WriteRequest } from '../../platform/http/access/principal.ts';
import { projectRoute, type Route } from '../../platform/http/routes/route.ts';
import { IdText } from '../../platform/kit/schema.ts';
import {
  EVENTS,
  PARTICIPANTS,
  PARTNER_APPLICATIONS,
  PAYOUT_BATCHES,
  PAYOUTS,
  REFERRALS,
  REWARD_ADJUSTMENTS,
  REWARDS,
  WEBHOOK_DELIVERIES,
} from './columns.ts';
import { type Columns, PAGE_ROWS } from './csv-file.ts';
import type { ExportDeps } from './export-deps.ts';
import { exported } from './exported.ts';
import { openExport } from './open-export.ts';
import { setupRoutes } from './setup-routes.ts';
import {
  walkApplications,
  walkBatches,
  walkDeliveries,
  walkPayouts,
  walkReferrals,
  walkRewards,
} from './walk-lists.ts';

// What lists are narrowed by, without what says which page of them.
const PAGING = ['limit', 'cursor'] as const;
const ParticipantFilters = Type.Omit(ListParticipants, ['offset']);
const ReferralFilters = Type.Omit(ListReferrals, PAGING);
const EventFilters = Type.Omit(ListEvents, ['offset', 'cursor']);
const RewardFilters = Type.Omit(ListRewards, PAGING);
const PayoutFilters = Type.Omit(ListPayouts, PAGING);
const BatchFilters = Type.Omit(ListBatches, PAGING);
const ApplicationFilters = Type.Omit(ListApplications, PAGING);

export function exportRoutes(deps: ExportDeps): Route[] {
  const { reads } = deps.database;
  const open = <R>(
    list: string,
    project: ProjectRef,
    request: WriteRequest,
    columns: Columns<R>,
    filters: object,
    pages: AsyncGenerator<readonly R[]>,
  ) => openExport(deps, request, { list, ownerId: project.id, columns, pages, filters });
  return [
    projectRoute({
      ...exported('participants', 'participants', PARTICIPANTS),
      permissions: ['participants:read'],
      query: ParticipantFilters,
      handle: ({ project, request, query }) =>
        open(
          'participants',
          project,
          request,
          PARTICIPANTS,
          query,
          walkParticipants(
            reads,
            project.id,
            { kind: query.kind ?? null, externalId: query.externalId ?? null },
            PAGE_ROWS,
          ),
        ),
    }),
    projectRoute({
      ...exported('referrals', 'Referrals', REFERRALS),
      permissions: ['referrals:read'],
      query: ReferralFilters,
      handle: ({ project, request, query }) =>
        open('referrals', project, request, REFERRALS, query, walkReferrals(reads, project, query)),
    }),
    projectRoute({
      ...exported('events', 'Events', EVENTS),
      permissions: ['referrals:read'],
      query: EventFilters,
      handle: ({ project, request, query }) =>
        open(
          'events',
          project,
          request,
          EVENTS,
          query,
          walkEvents(
            reads,
            project.id,
            {
              participantId: query.participantId ?? null,
              type: query.type ?? null,
              processingState: query.processingState ?? null,
            },
            PAGE_ROWS,
          ),
        ),
    }),
    projectRoute({
      ...exported('rewards', 'Rewards', REWARDS),
      permissions: ['referrals:read'],
      query: RewardFilters,
      refusals: [
        { code: 'NOT_FOUND', when: 'the Program, participant or Event asked for does not exist' },
      ],
      handle: ({ project, request, query }) =>
        open('rewards', project, request, REWARDS, query, walkRewards(deps, project, query)),
    }),
    projectRoute({
      ...exported('reward-adjustments', 'what refunds did to Rewards', REWARD_ADJUSTMENTS),
      permissions: ['referrals:read'],
      handle: ({ project, request }) =>
        open(
          'reward-adjustments',
          project,
          request,
          REWARD_ADJUSTMENTS,
          {},
          walkAdjustments(reads, project.id, PAGE_ROWS),
        ),
    }),
    projectRoute({
      ...exported('payouts', 'payouts', PAYOUTS),
      permissions: ['payouts:read'],
      query: PayoutFilters,
      handle: ({ project, request, query }) =>
        open('payouts', project, request, PAYOUTS, query, walkPayouts(reads, project, query)),
    }),
    projectRoute({
      ...exported('payout-batches', 'payout batches', PAYOUT_BATCHES),
      permissions: ['payouts:read'],
      query: BatchFilters,
      handle: ({ project, request, query }) =>
        open(
          'payout-batches',
          project,
          request,
          PAYOUT_BATCHES,
          query,
          walkBatches(reads, project, query),
        ),
    }),
    projectRoute({
      ...exported('partner-applications', 'partner applications', PARTNER_APPLICATIONS),
      permissions: ['partners:read'],
      query: ApplicationFilters,
      refusals: [{ code: 'NOT_FOUND', when: 'the Program does not exist' }],
      handle: ({ project, request, query }) =>
        open(
          'partner-applications',
          project,
          request,
          PARTNER_APPLICATIONS,
          query,
          walkApplications(deps, project, query),
        ),
    }),
    projectRoute({
      ...exported('webhook-deliveries', 'what was sent to an endpoint', WEBHOOK_DELIVERIES),
      permissions: ['webhooks:read'],
      query: Type.Object({
        endpointId: IdText(),
        status: ListDeliveries.properties.status,
      }),
      refusals: [{ code: 'NOT_FOUND', when: 'the endpoint does not exist' }],
      handle: ({ project, request, query: { endpointId, status } }) =>
        open(
          'webhook-deliveries',
          project,
          request,
          WEBHOOK_DELIVERIES,
          { endpointId, status },
          walkDeliveries(deps, project, endpointId, status),
        ),
    }),
    ...setupRoutes(deps),
  ];
}
