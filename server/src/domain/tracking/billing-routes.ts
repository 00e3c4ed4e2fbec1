import type { Database } from '../../platform/db/database.ts';
import { projectRoute, type Route, Success, success } from '../../platform/http/routes/route.ts';
import { notFound } from '../../platform/kit/errors.ts';
import { AdjustmentAnswer, TrackAdjustment } from './adjustment-schema.ts';
import { findSubscriptionFact } from './batch/subscription-store.ts';
import type { Tracker } from './batch/track-event.ts';
import { normalizeAdjustment } from './intake/normalize-adjustment.ts';
import { normalizeSubscription } from './intake/normalize-subscription.ts';
import { SubscriptionAnswer, SubscriptionFact, TrackSubscription } from './subscription-schema.ts';

const TAG = 'Tracking';
const at = '2026-11-15T09:30:00.000Z';

const refundExample = {
  projectId: 'prj_01ka3m…',
  sourceNamespaceId: 'src_01ka3m…',
  sourceEventId: 'refund-7',
  purchase: { sourceEventId: 'order-1001' },
  kind: 'refund' as const,
  amountMinor: '2500',
  currency: 'USD',
  currencyExponent: 2,
  occurredAt: at,
};
const adjustmentExample = {
  success: true as const,
  purchaseAdjustmentId: 'padj_01ka3m…',
  purchaseId: 'pur_01ka3m…',
  rewardAdjustments: [
    {
      id: 'adj_01ka3m…',
      createdAt: at,
      updatedAt: at,
      projectId: 'prj_01ka3m…',
      purchaseAdjustmentId: 'padj_01ka3m…',
      rewardId: 'rwd_01ka3m…',
      purchaseId: 'pur_01ka3m…',
      currency: 'USD',
      signedAmountMinor: '-250',
      calculationSnapshot: {
        purchaseAmountMinor: '5000',
        refundedTotalMinor: '2500',
        rewardAmountMinor: '500',
        previousNetMinor: '500',
        newNetMinor: '250',
        refundPolicy: 'proportional',
        roundingPolicy: 'half_up',
      },
    },
  ],
};
const startExample = {
  projectId: 'prj_01ka3m…',
  sourceNamespaceId: 'src_01ka3m…',
  sourceEventId: 'sub-9-started',
  participant: { kind: 'individual' as const, externalId: '42' },
  subscriptionId: 'sub-9',
  change: 'started' as const,
  planKey: 'pro',
  occurredAt: at,
};
const factExample = {
  id: 'sfact_01ka3m…',
  projectId: 'prj_01ka3m…',
  participantId: 'par_01ka3m…',
  sourceNamespaceId: 'src_01ka3m…',
  sourceEventId: 'sub-9-started',
  subscriptionId: 'sub-9',
  change: 'started' as const,
  planKey: 'pro',
  periodStart: null,
  periodEnd: null,
  occurredAt: at,
  receivedAt: at,
  factsHash: '3f9a…',
  reason: 'attributed',
  candidates: [
    {
      touchId: 'tch_01ka3m…',
      programId: 'prg_01ka3m…',
      referrer: 'par_01ka3m…',
      occurredAt: at,
      verdict: 'selected' as const,
      reason: null,
    },
  ],
};

const differing = {
  code: 'CONFLICT',
  reason: 'event_facts_differ',
  when: 'the sourceEventId came before with other facts',
} as const;
const disabled = {
  code: 'CONFLICT',
  reason: 'source_disabled',
  when: 'the source is disabled',
} as const;

export interface BillingRouteDeps {
  readonly tracker: Tracker;
  readonly database: Database;
}

/** Routes for adjustments of purchases and changes of subscriptions. */
export function billingRoutes({ tracker, database }: BillingRouteDeps): Route[] {
  return [
    projectRoute({
      method: 'POST',
      path: '/v1/track/adjustments',
      tag: TAG,
      summary: 'Record a refund, a dispute, a lost dispute, or a restoration',
      description:
        'Rewards of the purchase follow its refunded total: a full refund leaves a net of exactly zero, and restoring everything the exact amount. A dispute takes at most what is left; `dispute_lost` makes that final. A refund while a dispute is open settles the disputed part first, and a restoration of the dispute gives back what was not refunded meanwhile. Facts count in the order of `occurredAt`. A discount or custom units cannot shrink: a full refund voids them, a dispute holds what was not granted yet. A purchase that still waits for its signup takes its refunds along. An adjustment whose purchase was not reported yet is kept for 24 hours by the Project’s clock (`purchaseId` is null) and applied when the purchase arrives; otherwise it is dropped, the audit log says why (`adjustment.drop`), and it can be sent again.',
      permissions: ['track:write'],
      body: TrackAdjustment,
      answer: AdjustmentAnswer,
      refusals: [
        {
          code: 'NOT_FOUND',
          reason: 'source_unknown',
          when: 'the source, or that of the purchase, does not exist',
        },
        {
          code: 'NOT_FOUND',
          reason: 'adjustment_unknown',
          when: 'what is restored or closed is no such adjustment of this purchase',
        },
        {
          code: 'NOT_FOUND',
          reason: 'purchase_without_amount',
          when: 'the id of the purchase names a fact without an amount',
        },
        {
          code: 'NOT_FOUND',
          reason: 'purchase_not_counted',
          when: 'an earlier version recorded the purchase as a duplicate of another participant’s, or of one in another currency: it earned nothing',
        },
        { code: 'INVALID_REQUEST', when: 'the currency is not that of the purchase' },
        {
          code: 'CONFLICT',
          reason: 'adjustment_exceeds_purchase',
          when: 'refunds and lost disputes exceed the purchase, or more is restored than was taken',
        },
        {
          code: 'CONFLICT',
          reason: 'dispute_closed',
          when: 'the dispute was lost before, or won before it is lost',
        },
        differing,
        disabled,
      ],
      example: { body: refundExample, answer: adjustmentExample },
      handle: async ({ request, body }) => tracker.adjust(request, normalizeAdjustment(body)),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/track/subscriptions',
      tag: TAG,
      summary: 'Tell what happened to a subscription',
      description:
        'Where a Program’s attribution policy binds by subscription, `started` binds the Referral of a person who has none yet; a code typed at signup counts before clicks. Every other change is recorded.',
      permissions: ['track:write'],
      body: TrackSubscription,
      answer: SubscriptionAnswer,
      refusals: [
        { code: 'NOT_FOUND', when: 'the source does not exist' },
        differing,
        disabled,
        { code: 'CONFLICT', reason: 'participant_deleted', when: 'the participant was erased' },
      ],
      example: {
        body: startExample,
        answer: {
          success: true,
          data: factExample,
          attribution: {
            referralId: 'ref_01ka3m…',
            programId: 'prg_01ka3m…',
            referrerParticipantId: 'par_01ka3m…',
            touchId: 'tch_01ka3m…',
          },
        },
      },
      handle: async ({ request, body }) => tracker.subscribe(request, normalizeSubscription(body)),
    }),
    projectRoute({
      method: 'GET',
      path: '/v1/subscription-facts/{id}',
      tag: TAG,
      summary: 'Read a subscription fact, with what it bound and why',
      permissions: ['referrals:read'],
      answer: Success(SubscriptionFact),
      refusals: [{ code: 'NOT_FOUND', when: 'the fact does not exist' }],
      example: { answer: success(factExample) },
      handle: async ({ project, params }) => {
        const fact = await findSubscriptionFact(database.reads, project.id, params.id as string);
        if (!fact) throw notFound('subscription fact');
        return success(fact);
      },
    }),
  ];
}
