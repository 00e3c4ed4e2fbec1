import type { UsageLog } from '../../accounts/workspaces/usage/usage-log.ts';
import { countWaitingApplications } from '../../domain/partners/queries.ts';
import { countWaitingRewards } from '../../domain/rewards/queries.ts';
import { countOpenReviews } from '../../domain/risk/reviews/list-reviews.ts';
import { countFailedEvents } from '../../domain/tracking/queries.ts';
import { countParked } from '../../outbound/integrations/stripe/parked/queries.ts';
import { countWaitingPayouts } from '../../outbound/payouts/queries.ts';
import { findTroubles } from '../../outbound/webhooks/endpoints/queries.ts';
import type { Queryable } from '../../platform/db/driver.ts';
import type { Permission } from '../../platform/http/access/permissions.ts';
import {
  isAllowed,
  mayOperate,
  type Principal,
  type ProjectRef,
} from '../../platform/http/access/principal.ts';
import type { Clock } from '../../platform/kit/clock.ts';
import { toInstant } from '../../platform/kit/instant.ts';
import type { Attention, AttentionKind } from './schema.ts';

export interface AttentionDeps {
  readonly reads: Queryable;
  readonly clock: Clock;
  readonly usage: Pick<UsageLog, 'usesOf'>;
}

/** Counting stops here. */
const SHOWN_MAX = 100;
const MOST = SHOWN_MAX + 1;

/**
 * What waits for a person, as far as the caller may see it; empty parts are left out. Each part
 * counts at most a hundred rows by an index, however much there is.
 */
export async function listAttention(
  deps: AttentionDeps,
  project: ProjectRef,
  principal: Principal,
): Promise<Attention[]> {
  const { workspaceId } = project;
  const may = (permission: Permission) => isAllowed(principal, permission, workspaceId);
  const parts = await Promise.all([
    may('referrals:read') ? rewardsOf(deps, project) : [],
    may('referrals:read') ? reviewsOf(deps, project) : [],
    may('payouts:read') ? payoutsOf(deps, project) : [],
    may('partners:read') ? applicationsOf(deps, project) : [],
    may('webhooks:read') ? endpointsOf(deps, project) : [],
    // A route for operators lists them.
    mayOperate(principal, workspaceId) ? parkedOf(deps, project) : [],
    may('referrals:read') ? eventsOf(deps, project) : [],
  ]);
  return parts.flat();
}

async function rewardsOf({ reads }: AttentionDeps, { id }: ProjectRef): Promise<Attention[]> {
  const { toGrant, toTakeBack, failed } = await countWaitingRewards(reads, id, MOST);
  const list = (fulfillmentStatus: string, more = {}) => ({
    path: '/v1/rewards',
    query: { fulfillmentStatus, ...more },
  });
  return [
    ...[...toGrant].flatMap(([deliveryMethod, count]) =>
      some('rewards_to_grant', count, list('pending', { deliveryMethod })),
    ),
    ...[...toTakeBack].flatMap(([deliveryMethod, count]) =>
      some('rewards_to_take_back', count, list('revocation_pending', { deliveryMethod })),
    ),
    ...some('rewards_failed', failed, list('failed')),
  ];
}

async function reviewsOf({ reads }: AttentionDeps, { id }: ProjectRef): Promise<Attention[]> {
  return some('risk_reviews_open', await countOpenReviews(reads, id, MOST), {
    path: '/v1/risk-reviews',
    query: { status: 'open' },
  });
}

async function payoutsOf(deps: AttentionDeps, project: ProjectRef): Promise<Attention[]> {
  const now = toInstant(deps.clock.nowMs());
  const waiting = await countWaitingPayouts(deps.reads, project, now, MOST);
  const batches = (status: string) => ({ path: '/v1/payout-batches', query: { status } });
  return [
    ...some('payout_batches_to_approve', waiting.toApprove, batches('draft')),
    ...some('payout_batches_to_submit', waiting.toSubmit, batches('approved')),
    ...some('payouts_unanswered', waiting.unanswered, {
      path: '/v1/payouts',
      query: { status: 'processing' },
    }),
  ];
}

async function applicationsOf({ reads }: AttentionDeps, { id }: ProjectRef) {
  return some('partner_applications', await countWaitingApplications(reads, id, MOST), {
    path: '/v1/partner-applications',
    query: { status: 'pending' },
  });
}

async function endpointsOf({ reads }: AttentionDeps, { id }: ProjectRef): Promise<Attention[]> {
  const troubles = await findTroubles(reads, id, MOST);
  return troubles.flatMap(({ endpointId, url, failed, retrying }) => {
    const path = `/v1/webhook-endpoints/${endpointId}/deliveries`;
    const endpoint = { id: endpointId, url };
    return [
      ...some('webhook_deliveries_failed', failed, { path, query: { status: 'failed' } }, endpoint),
      ...some(
        'webhook_deliveries_retrying',
        retrying,
        { path, query: { status: 'pending' } },
        endpoint,
      ),
    ];
  });
}

async function parkedOf({ reads }: AttentionDeps, { id }: ProjectRef): Promise<Attention[]> {
  return some('stripe_events_parked', await countParked(reads, id, MOST), {
    path: '/v1/integrations/stripe/parked',
    query: {},
  });
}

async function eventsOf({ reads }: AttentionDeps, { id }: ProjectRef): Promise<Attention[]> {
  return some('events_failed', await countFailedEvents(reads, id, MOST), {
    path: '/v1/events',
    query: { processingState: 'failed' },
  });
}

function some(
  kind: AttentionKind,
  count: number,
  list: Attention['list'],
  endpoint: Attention['endpoint'] = null,
): Attention[] {
  if (count === 0) return [];
  return [{ kind, count: Math.min(count, SHOWN_MAX), isMore: count > SHOWN_MAX, list, endpoint }];
}
