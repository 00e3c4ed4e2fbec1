import type { Party } from '../../../platform/feed/render-event.ts';
import type { FeedEventType } from '../../../platform/feed/writer/project-write.ts';
import type { SampleFrame } from './sample-frame.ts';
import { samplePayout } from './sample-payout.ts';
import { sampleReward } from './sample-reward.ts';

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
  }
}

function someone(externalId: string, { newId }: SampleFrame): Party {
  return { participantId: newId('par'), kind: 'individual', externalId };
}

function sampleReferral(referrer: Party, frame: SampleFrame): Record<string, unknown> {
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
function sampleEvent(referrer: Party, frame: SampleFrame): Record<string, unknown> {
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
