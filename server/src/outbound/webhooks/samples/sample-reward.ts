import type { ParticipantKind } from '../../../domain/participants/schema.ts';
import type { Reward } from '../../../domain/rewards/schema.ts';
import type { Party } from '../../../platform/feed/render-event.ts';
import type { FeedEventType } from '../../../platform/feed/writer/project-write.ts';
import type { SampleFrame } from './sample-frame.ts';

type RewardEventType = Extract<FeedEventType, `reward.${string}`>;

const DELIVERED = { method: 'operator', status: 'delivered', reason: null } as const;

/** Ten dollars of credit for the referrer, in the state after each of the events. */
export function sampleReward(
  type: RewardEventType,
  { participantId, kind, externalId }: Party,
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
    beneficiary: { participantId, kind: kind as ParticipantKind, externalId },
    benefitKind: 'credit',
    money: { amountMinor: '1000', netAmountMinor: '1000', currency: 'USD', currencyExponent: 2 },
    discount: null,
    custom: null,
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
    delivery: { ...DELIVERED, providerReference: null },
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
