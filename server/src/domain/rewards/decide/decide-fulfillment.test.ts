import { expect, test } from 'vitest';
import { aReward } from '../../../../test/reward-row.ts';
import type { RewardRow } from '../reward.ts';
import { decideFulfillment } from './decide-fulfillment.ts';

const NOW = '2026-11-16T08:00:00.000Z';
const moment = { now: NOW, newId: (prefix: string) => `${prefix}_2` };
const grant = (row: RewardRow, externalReference = 'grant-1') =>
  decideFulfillment(row, { externalReference, actor: 'api' }, moment);
const why = (row: RewardRow, externalReference?: string) => {
  const decision = grant(row, externalReference);
  return 'refused' in decision ? (decision.refused.reason ?? decision.refused.code) : 'taken';
};

const first = {
  id: 'ful_1',
  externalReference: 'grant-1',
  occurredAt: '2026-11-15T10:00:00.000Z',
  actor: 'api',
} as const;
const voided = { id: 'void_1', reasonCode: 'fraud', reason: null, voidedAt: NOW } as const;

test.each(['operator', 'manual'] as const)(
  'a pending Reward by %s is fulfilled, and says by whom and when',
  (method) => {
    const row = aReward('custom', { method });
    expect(grant(row)).toEqual({
      reward: {
        ...row,
        fulfillmentStatus: 'fulfilled',
        fulfillment: { id: 'ful_2', externalReference: 'grant-1', occurredAt: NOW, actor: 'api' },
        deliveryStatus: 'delivered',
        deliveryReason: null,
        updatedAt: NOW,
      },
    });
  },
);

test('neither a hold nor an open dispute keeps a grant from being recorded (D-RWD-5)', () => {
  const held = aReward('cash', { availableAt: '2026-12-15T09:30:00.000Z' });
  const disputed = aReward('custom', { isDisputed: true });
  expect(disputed.deliveryStatus).toBe('on_hold');
  for (const row of [held, disputed]) {
    expect(grant(row)).toMatchObject({
      reward: { fulfillmentStatus: 'fulfilled', deliveryStatus: 'delivered', deliveryReason: null },
    });
  }
});

test('a review keeps a grant from being recorded; what else is refused says so', () => {
  expect(why(aReward('custom', { isUnderReview: true }))).toBe('under_review');
  const answered = aReward('custom', { isUnderReview: true, answeredEventId: 'wev_1' });
  expect(why(answered)).toBe('under_review');
  const lost = { isUnderReview: true, fulfillmentStatus: 'cancelled' } as const;
  expect(why(aReward('custom', { ...lost, void: voided }))).toBe('reward_voided');
  expect(why(aReward('cash', { isUnderReview: true, method: 'payout' }))).toBe(
    'UNSUPPORTED_DELIVERY_METHOD',
  );
  const before = {
    isUnderReview: true,
    fulfillmentStatus: 'fulfilled',
    fulfillment: first,
  } as const;
  expect(why(aReward('custom', before))).toBe('taken');
});

test.each(['payout', 'stripe_balance', 'stripe_coupon'] as const)(
  'what the service delivers by %s takes no grant, whatever its status',
  (method) => {
    expect(why(aReward('cash', { method }))).toBe('UNSUPPORTED_DELIVERY_METHOD');
    const paid = aReward('cash', { method, fulfillmentStatus: 'fulfilled', fulfillment: first });
    expect(why(paid)).toBe('UNSUPPORTED_DELIVERY_METHOD');
  },
);

const GRANTED = [
  aReward('cash', { fulfillmentStatus: 'fulfilled', fulfillment: first }),
  aReward('cash', { fulfillmentStatus: 'fulfilled', fulfillment: first, void: voided }),
  aReward('custom', { fulfillmentStatus: 'revocation_pending', fulfillment: first, void: voided }),
  aReward('custom', {
    fulfillmentStatus: 'revoked',
    fulfillment: first,
    revocation: first,
    void: voided,
  }),
];

test('a repeat returns the Reward as it stands, also after a void; other facts differ (D-RWD-7)', () => {
  for (const row of GRANTED) {
    const decision = grant(row);
    expect('reward' in decision && decision.reward).toBe(row);
    expect(why(row, 'grant-2')).toBe('fulfillment_facts_differ');
    // References are compared exactly.
    expect(why(row, 'Grant-1')).toBe('fulfillment_facts_differ');
  }
});

test('after a webhook recorded the grant, any reference returns the Reward unchanged (D-RWD-7)', () => {
  for (const granted of GRANTED) {
    const row: RewardRow = {
      ...granted,
      fulfillment: { ...first, externalReference: 'wev_1', actor: 'webhook' },
    };
    const decision = grant(row, 'grant-2');
    expect('reward' in decision && decision.reward).toBe(row);
  }
});

test.each([
  ['cancelled', voided, 'reward_voided'],
  ['cancelled', null, 'reward_cancelled'],
  ['in_progress', null, 'invalid_transition'],
  ['in_progress', voided, 'reward_voided'],
  ['failed', null, 'invalid_transition'],
] as const)('one that is %s (void %o) is refused: %s', (fulfillmentStatus, isVoid, reason) => {
  expect(why(aReward('credit', { fulfillmentStatus, void: isVoid }))).toBe(reason);
});
