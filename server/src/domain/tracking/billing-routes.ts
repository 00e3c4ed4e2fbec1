import type { Database } from '../../platform/db/database.ts';
import { Success, success } from '../../platform/http/routes/answers.ts';
import { projectRoute } from '../../platform/http/routes/project-routes.ts';
import type { Route } from '../../platform/http/routes/route.ts';
import { notFound } from '../../platform/kit/errors.ts';
import { findSubscriptionFact } from './batch/subscription-store.ts';
import type { Tracker } from './batch/track-event.ts';
import {
  AdjustmentAnswer,
  SubscriptionAnswer,
  SubscriptionFact,
  TrackAdjustment,
  TrackSubscription,
} from './billing-schema.ts';
import { normalizeAdjustment, normalizeSubscription } from './intake/normalize-billing.ts';

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
  when: 'the sourceEventId was used before with other facts',
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
        'The Rewards of a purchase change with its refunded total. A full refund makes the net exactly zero; a full restoration restores the exact amount. A dispute takes at most what is left, and `dispute_lost` makes this final. A refund during an open dispute settles the disputed part first; a restoration of the dispute then gives back only what was not refunded in the meantime. Facts are applied in the order of `occurredAt`. Discounts and custom units cannot be reduced: a full refund voids them, and a dispute puts them on hold if they were not granted yet. Refunds of a purchase that still waits for its signup are applied with it. If the purchase was not reported yet, the adjustment waits 24 hours for it by the Project’s clock (`purchaseId` is null). If the purchase does not arrive, the adjustment is dropped and the audit log records why (`adjustment.drop`). You can then send it again.',
      permissions: ['track:write'],
      body: TrackAdjustment,
      answer: AdjustmentAnswer,
      refusals: [
        {
          code: 'NOT_FOUND',
          reason: 'source_unknown',
          when: 'the source, or the source of the purchase, does not exist',
        },
        {
          code: 'NOT_FOUND',
          reason: 'adjustment_unknown',
          when: 'this purchase has no such adjustment to restore or close',
        },
        {
          code: 'NOT_FOUND',
          reason: 'purchase_without_amount',
          when: 'the purchase’s id belongs to a fact without an amount',
        },
        {
          code: 'NOT_FOUND',
          reason: 'purchase_not_counted',
          when: 'an earlier version recorded the purchase as a duplicate of another participant’s purchase, or of one in another currency, so it earned nothing',
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
          when: 'the dispute is already lost, or was already won',
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
      summary: 'Report a subscription change',
      description:
        'If a Program’s attribution policy binds by subscription, `started` binds the Referral of a participant who has none yet. A code typed at signup takes precedence over clicks. Other changes are only recorded.',
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
      summary: 'Read a subscription fact, with the Referral it bound and why',
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
