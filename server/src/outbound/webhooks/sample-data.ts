import type { Reward } from '../../domain/rewards/schema.ts';
import type { FeedEventType } from '../../platform/feed/writer/project-write.ts';
import type { NewId } from '../../platform/kit/ids.ts';
import type { Instant } from '../../platform/kit/instant.ts';
import type { Payout } from '../payouts/schema.ts';

/** The common values of all objects of one sample. */
interface SampleFrame {
  readonly projectId: string;
  readonly now: Instant;
  readonly newId: NewId;
}

type Beneficiary = Payout['rewards'][number]['beneficiary'];

/**
 * Data of a made-up event, in the exact shape of real data with its parties filled in. Every id is
 * new, so that a receiver does not take a second test for a repeat, and none exists. The names
 * cannot be mistaken for a receiver's own people.
 */
export function sampleData(type: FeedEventType, frame: SampleFrame): Record<string, unknown> {
  const referrer = someone('goodword-test-referrer', frame);
  switch (type) {
    case 'participant.created':
      return { participant: referrer };
    case 'referral.created':
      return { referral: sampleReferral(referrer, frame) };
    case 'event.recorded':
      return sampleEvent(referrer, frame);
    case 'reward.earned':
    case 'reward.voided':
    case 'reward.restored':
    case 'reward.fulfilled':
    case 'reward.revoked':
      return { reward: sampleReward(type, referrer, frame) };
    case 'payout.paid':
    case 'payout.failed':
    case 'payout.returned':
      return { payout: samplePayout(type, referrer, frame) };
    case 'risk.review_opened':
    case 'risk.review_decided':
      return { review: sampleReview(type, referrer, frame) };
  }
}

function someone(externalId: string, { newId }: SampleFrame): Beneficiary {
  return { participantId: newId('par'), kind: 'individual', externalId };
}

function sampleReferral(referrer: Beneficiary, frame: SampleFrame): Record<string, unknown> {
  const { newId, now } = frame;
  return {
    id: newId('ref'),
    programId: newId('prg'),
    referrer,
    referee: someone('goodword-test-referee', frame),
    bindingEventId: newId('evt'),
    bindingSubscriptionFactId: null,
    boundAt: now,
  };
}

/** An attributed purchase, which has the most fields. */
function sampleEvent(referrer: Beneficiary, frame: SampleFrame): Record<string, unknown> {
  const { newId, now } = frame;
  return {
    event: {
      id: newId('evt'),
      type: 'purchase',
      participant: someone('goodword-test-referee', frame),
      actor: null,
      sourceNamespaceId: newId('src'),
      sourceEventId: 'goodword-test-order',
      occurredAt: now,
      receivedAt: now,
      purchase: {
        purchaseId: newId('pur'),
        amountMinor: '10000',
        taxAmountMinor: '1900',
        currency: 'USD',
        currencyExponent: 2,
        orderId: 'goodword-test-order',
        invoiceId: null,
        subscriptionId: null,
      },
      properties: {},
    },
    attribution: {
      status: 'attributed',
      reason: 'attributed',
      referralId: newId('ref'),
      programId: newId('prg'),
      referrer,
      touchId: newId('tch'),
      policyVersionId: newId('pol'),
    },
  };
}

/** Ten dollars of credit for the referrer, in the state after each of the events. */
function sampleReward(
  type: Extract<FeedEventType, `reward.${string}`>,
  beneficiary: Beneficiary,
  { projectId, now, newId }: SampleFrame,
): Reward {
  const earned: Reward = {
    id: newId('rwd'),
    projectId,
    programId: newId('prg'),
    ruleId: newId('rul'),
    termsVersionId: newId('trm'),
    eventId: newId('evt'),
    beneficiaryRole: 'referrer',
    beneficiary,
    benefitKind: 'credit',
    money: { amountMinor: '1000', netAmountMinor: '1000', currency: 'USD', currencyExponent: 2 },
    discount: null,
    custom: null,
    tier: null,
    milestone: null,
    earnedAt: now,
    availableAt: now,
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
  const record = (prefix: 'ful' | 'rev', externalReference: string) =>
    ({ id: newId(prefix), externalReference, occurredAt: now, actor: 'api' }) as const;
  const voided = { id: newId('void'), reasonCode: 'fraud', reason: null, voidedAt: now } as const;
  const fulfilled: Reward = {
    ...earned,
    fulfillmentStatus: 'fulfilled',
    fulfillment: record('ful', 'goodword-test-grant'),
    delivery: { ...earned.delivery, status: 'delivered', reason: null },
  };
  switch (type) {
    case 'reward.earned':
      return earned;
    case 'reward.fulfilled':
    case 'reward.restored':
      return fulfilled;
    case 'reward.voided':
      return {
        ...earned,
        fulfillmentStatus: 'cancelled',
        delivery: { ...earned.delivery, status: 'cancelled', reason: 'voided' },
        void: voided,
      };
    case 'reward.revoked':
      return {
        ...fulfilled,
        fulfillmentStatus: 'revoked',
        revocation: record('rev', 'goodword-test-take-back'),
        void: voided,
      };
  }
}

/** One cash reward of ten dollars: paid, not paid, or paid and returned. */
function samplePayout(
  type: Extract<FeedEventType, `payout.${string}`>,
  beneficiary: Beneficiary,
  { now, newId }: SampleFrame,
): Payout {
  const paid: Payout = {
    id: newId('po'),
    batchId: newId('pob'),
    status: 'paid',
    method: 'manual_export',
    currency: 'USD',
    currencyExponent: 2,
    amountMinor: '1000',
    rewards: [{ rewardId: newId('rwd'), beneficiary, amountMinor: '1000' }],
    providerReference: 'goodword-test-transfer',
    createdAt: now,
    paidAt: now,
    failureReason: null,
    failureMessage: null,
  };
  switch (type) {
    case 'payout.paid':
      return paid;
    case 'payout.failed':
      return {
        ...paid,
        status: 'failed',
        providerReference: null,
        paidAt: null,
        failureReason: 'invalid_details',
        failureMessage: 'The account number is not valid.',
      };
    case 'payout.returned':
      return {
        ...paid,
        status: 'returned',
        failureReason: 'account_closed',
        failureMessage: 'The account is closed.',
      };
  }
}

/** A review that a rejection ended, or that is still open. */
function sampleReview(
  type: Extract<FeedEventType, `risk.${string}`>,
  referrer: Beneficiary,
  frame: SampleFrame,
): Record<string, unknown> {
  const { newId, now } = frame;
  const isOpen = type === 'risk.review_opened';
  return {
    id: newId('rvw'),
    programId: newId('prg'),
    referralId: newId('ref'),
    referrer,
    referee: someone('goodword-test-referee', frame),
    status: isOpen ? 'open' : 'rejected',
    score: 85,
    signals: ['same_network', 'email_alias'],
    openedAt: now,
    decidedAt: isOpen ? null : now,
  };
}
