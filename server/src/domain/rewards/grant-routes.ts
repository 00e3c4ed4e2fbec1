import Type from 'typebox';
import { projectRoute } from '../../platform/http/routes/project-routes.ts';
import type { Refusal, Route } from '../../platform/http/routes/route.ts';
import { recordFulfillment, recordRevocation, recordVoid } from './change/record.ts';
import { retryReward } from './delivery/wake-deliveries.ts';
import type { RewardDeps } from './queries.ts';
import { RecordGrant, RecordRevocation, type Reward, rewardFields, VoidReward } from './schema.ts';

/** The Reward in the API reference. */
export const rewardExample = {
  id: 'rwd_01ka3m…',
  projectId: 'prj_01ka3m…',
  programId: 'prg_01ka3m…',
  ruleId: 'rul_01ka3m…',
  termsVersionId: 'trm_01ka3m…',
  eventId: 'evt_01ka3m…',
  beneficiaryRole: 'referrer',
  beneficiary: { participantId: 'par_01ka3m…', kind: 'individual', externalId: '42' },
  benefitKind: 'cash',
  money: { amountMinor: '1000', netAmountMinor: '1000', currency: 'USD', currencyExponent: 2 },
  discount: null,
  custom: null,
  tier: null,
  milestone: null,
  earnedAt: '2026-11-15T09:30:00.000Z',
  availableAt: '2026-11-29T09:30:00.000Z',
  fulfillmentStatus: 'pending',
  fulfillment: null,
  revocation: null,
  delivery: {
    method: 'operator',
    status: 'pending',
    reason: 'awaiting_operator',
    providerReference: null,
  },
  void: null,
};

const TAG = 'Rewards';
const WRITE = ['rewards:write'] as const;

const answer = Type.Object({ success: Type.Literal(true), ...rewardFields });
const NO_REWARD: Refusal = { code: 'NOT_FOUND', when: 'the Reward does not exist' };

const fulfillment = {
  id: 'ful_01ka3m…',
  externalReference: 'grant-7',
  occurredAt: '2026-11-16T08:00:00.000Z',
  actor: 'api',
};
const delivered = { ...rewardExample.delivery, status: 'delivered', reason: null };
const fulfilled = {
  ...rewardExample,
  fulfillmentStatus: 'fulfilled',
  fulfillment,
  delivery: delivered,
};
const voided = { id: 'void_01ka3m…', reasonCode: 'fraud', reason: null };
const discount = {
  benefitKind: 'discount',
  money: null,
  discount: { rateBps: 2000, durationMode: 'months', durationMonths: 3 },
};

const shown = async (reward: Promise<Reward>) => ({ success: true as const, ...(await reward) });

export function grantRoutes(deps: RewardDeps): Route[] {
  return [
    projectRoute({
      method: 'POST',
      path: '/v1/rewards/{rewardId}/fulfillment',
      tag: TAG,
      summary: 'Record that your product granted a Reward',
      description:
        'Also use this to record that you paid a cash Reward yourself. Only for Rewards with delivery method `operator` or `manual`, even during their hold. A repeat with the same `externalReference` returns the current Reward, even after a void. If a webhook response already recorded the grant, any call returns the current Reward.',
      permissions: WRITE,
      body: RecordGrant,
      answer,
      refusals: [
        NO_REWARD,
        {
          code: 'UNSUPPORTED_DELIVERY_METHOD',
          when: 'the delivery method is neither `operator` nor `manual`',
        },
        {
          code: 'CONFLICT',
          reason: 'fulfillment_facts_differ',
          when: 'the grant is already recorded with another `externalReference`',
        },
        {
          code: 'CONFLICT',
          reason: 'reward_voided',
          when: 'the Reward was voided before it was granted',
        },
        {
          code: 'CONFLICT',
          reason: 'reward_cancelled',
          when: 'refunds reduced the Reward to nothing',
        },
        {
          code: 'CONFLICT',
          reason: 'under_review',
          when: 'the referral of the Reward is under review: try again after the decision',
        },
        {
          code: 'CONFLICT',
          reason: 'invalid_transition',
          when: 'the delivery is in progress or failed',
        },
      ],
      example: {
        body: { projectId: 'prj_01ka3m…', externalReference: 'grant-7' },
        answer: { success: true, ...fulfilled },
      },
      handle: ({ request, params, body }) =>
        shown(recordFulfillment(deps, request, params.rewardId as string, body.externalReference)),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/rewards/{rewardId}/revocation',
      tag: TAG,
      summary: 'Record that your product took back a voided Reward',
      description:
        'Only for Rewards with delivery method `operator` or `manual` that were voided after their grant and are `revocation_pending`. A cash Reward cannot be revoked. A repeat with the same `externalReference` returns the Reward.',
      permissions: WRITE,
      body: RecordRevocation,
      answer,
      refusals: [
        NO_REWARD,
        {
          code: 'UNSUPPORTED_DELIVERY_METHOD',
          when: 'the delivery method is neither `operator` nor `manual`, or the Reward is cash',
        },
        {
          code: 'CONFLICT',
          reason: 'revocation_facts_differ',
          when: 'the revocation is already recorded with another `externalReference`',
        },
        {
          code: 'CONFLICT',
          reason: 'revocation_not_pending',
          when: 'the Reward is not `revocation_pending`',
        },
      ],
      example: {
        body: { projectId: 'prj_01ka3m…', externalReference: 'take-back-7' },
        answer: {
          success: true,
          ...fulfilled,
          ...discount,
          fulfillmentStatus: 'revoked',
          revocation: {
            id: 'rev_01ka3m…',
            externalReference: 'take-back-7',
            occurredAt: '2026-11-18T08:00:00.000Z',
            actor: 'api',
          },
          void: { ...voided, voidedAt: '2026-11-17T08:00:00.000Z' },
        },
      },
      handle: ({ request, params, body }) =>
        shown(recordRevocation(deps, request, params.rewardId as string, body.externalReference)),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/rewards/{rewardId}/void',
      tag: TAG,
      summary: 'Void a Reward that was not due',
      description:
        'A Reward that was not granted becomes `cancelled`. A granted Reward becomes `revocation_pending` until you record that you took it back; granted cash stays `fulfilled`. A Reward that is `in_progress` stays so until its outcome is known. The net amount does not change. A repeat with the same `reasonCode` returns the Reward with the first `reason`. Your void replaces one that the service made for a refund; a restoration then no longer lifts it.',
      permissions: WRITE,
      body: VoidReward,
      answer,
      refusals: [
        { code: 'INVALID_REQUEST', when: '`reasonCode` is `other` and there is no `reason`' },
        NO_REWARD,
        {
          code: 'CONFLICT',
          reason: 'void_facts_differ',
          when: 'the Reward was voided by a call with another `reasonCode`',
        },
      ],
      example: {
        body: { projectId: 'prj_01ka3m…', reasonCode: 'fraud' },
        answer: {
          success: true,
          ...rewardExample,
          fulfillmentStatus: 'cancelled',
          delivery: { ...rewardExample.delivery, status: 'cancelled', reason: 'voided' },
          void: { ...voided, voidedAt: '2026-11-16T08:00:00.000Z' },
        },
      },
      handle: ({ request, params, body }) =>
        shown(recordVoid(deps, request, params.rewardId as string, body)),
    }),
    projectRoute({
      method: 'POST',
      path: '/v1/rewards/{rewardId}/retry',
      tag: TAG,
      summary: 'Retry a failed delivery of a Reward',
      description:
        'A `failed` Reward becomes `pending`. A Reward that is already `pending` is returned unchanged. No event is sent.',
      permissions: WRITE,
      answer,
      refusals: [
        NO_REWARD,
        {
          code: 'CONFLICT',
          reason: 'invalid_transition',
          when: 'the Reward is neither `failed` nor `pending`',
        },
        {
          code: 'CONFLICT',
          reason: 'reward_voided',
          when: 'the Reward was voided during its delivery',
        },
        {
          code: 'CONFLICT',
          reason: 'reward_cancelled',
          when: 'refunds reduced the Reward to nothing',
        },
        { code: 'CONFLICT', reason: 'participant_deleted', when: 'the beneficiary was erased' },
      ],
      example: {
        body: { projectId: 'prj_01ka3m…' },
        answer: { success: true, ...rewardExample },
      },
      handle: ({ request, params }) => shown(retryReward(deps, request, params.rewardId as string)),
    }),
  ];
}
