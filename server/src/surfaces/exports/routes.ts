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
import { PAGE_ROWS } from './csv-file.ts';
import { type ExportDeps, exported, openExport } from './open-export.ts';
import { setupRoutes } from './setup-routes.ts';
import {
  walkApplications,
  walkBatches,
  walkDeliveries,
  walkPayouts,
  walkReferrals,
  walkRewards,
} from './walk-lists.ts';

// The lists' filters, without the paging parameters.
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
  return [
    projectRoute({
      ...exported('participants', 'participants', PARTICIPANTS),
      permissions: ['participants:read'],
      query: ParticipantFilters,
      handle: ({ project, request, query }) =>
        openExport(deps, request, {
          list: 'participants',
          ownerId: project.id,
          columns: PARTICIPANTS,
          pages: walkParticipants(
            reads,
            project.id,
            { kind: query.kind ?? null, externalId: query.externalId ?? null },
            PAGE_ROWS,
          ),
          filters: query,
        }),
    }),
    projectRoute({
      ...exported('referrals', 'Referrals', REFERRALS),
      permissions: ['referrals:read'],
      query: ReferralFilters,
      handle: ({ project, request, query }) =>
        openExport(deps, request, {
          list: 'referrals',
          ownerId: project.id,
          columns: REFERRALS,
          pages: walkReferrals(reads, project, query),
          filters: query,
        }),
    }),
    projectRoute({
      ...exported('events', 'Events', EVENTS),
      permissions: ['referrals:read'],
      query: EventFilters,
      handle: ({ project, request, query }) =>
        openExport(deps, request, {
          list: 'events',
          ownerId: project.id,
          columns: EVENTS,
          pages: walkEvents(
            reads,
            project.id,
            {
              participantId: query.participantId ?? null,
              type: query.type ?? null,
              processingState: query.processingState ?? null,
            },
            PAGE_ROWS,
          ),
          filters: query,
        }),
    }),
    projectRoute({
      ...exported('rewards', 'Rewards', REWARDS),
      permissions: ['referrals:read'],
      query: RewardFilters,
      refusals: [
        { code: 'NOT_FOUND', when: 'the Program, participant or Event in a filter does not exist' },
      ],
      handle: ({ project, request, query }) =>
        openExport(deps, request, {
          list: 'rewards',
          ownerId: project.id,
          columns: REWARDS,
          pages: walkRewards(deps, project, query),
          filters: query,
        }),
    }),
    projectRoute({
      ...exported('reward-adjustments', 'adjustments of Rewards', REWARD_ADJUSTMENTS),
      permissions: ['referrals:read'],
      handle: ({ project, request }) =>
        openExport(deps, request, {
          list: 'reward-adjustments',
          ownerId: project.id,
          columns: REWARD_ADJUSTMENTS,
          pages: walkAdjustments(reads, project.id, PAGE_ROWS),
          filters: {},
        }),
    }),
    projectRoute({
      ...exported('payouts', 'payouts', PAYOUTS),
      permissions: ['payouts:read'],
      query: PayoutFilters,
      handle: ({ project, request, query }) =>
        openExport(deps, request, {
          list: 'payouts',
          ownerId: project.id,
          columns: PAYOUTS,
          pages: walkPayouts(reads, project, query),
          filters: query,
        }),
    }),
    projectRoute({
      ...exported('payout-batches', 'payout batches', PAYOUT_BATCHES),
      permissions: ['payouts:read'],
      query: BatchFilters,
      handle: ({ project, request, query }) =>
        openExport(deps, request, {
          list: 'payout-batches',
          ownerId: project.id,
          columns: PAYOUT_BATCHES,
          pages: walkBatches(reads, project, query),
          filters: query,
        }),
    }),
    projectRoute({
      ...exported('partner-applications', 'partner applications', PARTNER_APPLICATIONS),
      permissions: ['partners:read'],
      query: ApplicationFilters,
      refusals: [{ code: 'NOT_FOUND', when: 'the Program does not exist' }],
      handle: ({ project, request, query }) =>
        openExport(deps, request, {
          list: 'partner-applications',
          ownerId: project.id,
          columns: PARTNER_APPLICATIONS,
          pages: walkApplications(deps, project, query),
          filters: query,
        }),
    }),
    projectRoute({
      ...exported('webhook-deliveries', 'the deliveries of an endpoint', WEBHOOK_DELIVERIES),
      permissions: ['webhooks:read'],
      query: Type.Object({
        endpointId: IdText(),
        status: ListDeliveries.properties.status,
      }),
      refusals: [{ code: 'NOT_FOUND', when: 'the endpoint does not exist' }],
      handle: ({ project, request, query: { endpointId, status } }) =>
        openExport(deps, request, {
          list: 'webhook-deliveries',
          ownerId: project.id,
          columns: WEBHOOK_DELIVERIES,
          pages: walkDeliveries(deps, project, endpointId, status),
          filters: { endpointId, status },
        }),
    }),
    ...setupRoutes(deps),
  ];
}
