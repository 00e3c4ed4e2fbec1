import { expect, test } from 'vitest';
import { aReward } from '../../../../test/reward-row.ts';
import { BENEFIT_KINDS } from '../../programs/rules/benefit-words.ts';
import { decideAnsweredGrant } from './decide-answered-grant.ts';
import { FULFILLMENT_STATUSES } from './states.ts';

const NOW = '2026-11-16T08:00:00.000Z';
const moment = { now: NOW, newId: (prefix: string) => `${prefix}_1` };

test.each(BENEFIT_KINDS)('a pending %s Reward is fulfilled in the name of the event', (kind) => {
  expect(decideAnsweredGrant(aReward(kind), 'wev_1', moment)).toMatchObject({
    fulfillmentStatus: 'fulfilled',
    fulfillment: {
      id: 'ful_1',
      externalReference: 'wev_1',
      actor: 'webhook',
      occurredAt: NOW,
    },
    deliveryStatus: 'delivered',
    deliveryReason: null,
    updatedAt: NOW,
  });
});

const VOID = { id: 'void_1', reasonCode: 'fraud', reason: null, voidedAt: NOW } as const;

test.each(BENEFIT_KINDS)('a voided %s Reward was granted all the same', (kind) => {
  const voided = aReward(kind, { fulfillmentStatus: 'cancelled', void: VOID });
  const { fulfillmentStatus, fulfillment } = decideAnsweredGrant(voided, 'wev_1', moment);
  expect(fulfillmentStatus).toBe(kind === 'cash' ? 'fulfilled' : 'revocation_pending');
  expect(fulfillment?.actor).toBe('webhook');
});

test.each([
  ['cash', 'fulfilled', null],
  ['credit', 'revocation_pending', { reasonCode: 'refund', isByRefund: true }],
] as const)(
  'a refunded %s Reward is as if granted before: %s (D-RWD-8)',
  (kind, status, voided) => {
    const refunded = aReward(kind, { fulfillmentStatus: 'cancelled', netAmountMinor: 0n });
    const granted = decideAnsweredGrant(refunded, 'wev_1', moment);
    expect(granted).toMatchObject({
      fulfillmentStatus: status,
      fulfillment: { actor: 'webhook' },
      netAmountMinor: 0n,
      void: voided,
    });
  },
);

test('the first record stays', () => {
  const fulfillment = {
    id: 'ful_0',
    externalReference: 'grant-7',
    occurredAt: NOW,
    actor: 'api' as const,
  };
  for (const fulfillmentStatus of FULFILLMENT_STATUSES) {
    const row = aReward('credit', { fulfillment, fulfillmentStatus });
    expect(decideAnsweredGrant(row, 'wev_1', moment)).toBe(row);
  }
});

test.each(['payout', 'stripe_balance', 'stripe_coupon'] as const)(
  'what is delivered by %s is not the product’s to grant',
  (method) => {
    for (const fulfillmentStatus of FULFILLMENT_STATUSES) {
      const row = aReward('cash', { method, fulfillmentStatus });
      expect(decideAnsweredGrant(row, 'wev_1', moment)).toBe(row);
    }
  },
);

test.each(['in_progress', 'failed', 'revoked'] as const)(
  'an answer changes nothing about a Reward that is %s',
  (fulfillmentStatus) => {
    const row = aReward('credit', { fulfillmentStatus });
    expect(decideAnsweredGrant(row, 'wev_1', moment)).toBe(row);
  },
);

test('during a review only the first response is kept, and nothing is granted', () => {
  for (const fulfillmentStatus of ['pending', 'cancelled'] as const) {
    const held = aReward('credit', { fulfillmentStatus, isUnderReview: true });
    const answered = decideAnsweredGrant(held, 'wev_1', moment);
    expect(answered).toEqual({ ...held, answeredEventId: 'wev_1', updatedAt: NOW });
    expect(decideAnsweredGrant(answered, 'wev_2', moment)).toBe(answered);
  }
  const paid = aReward('cash', { fulfillmentStatus: 'failed', isUnderReview: true });
  expect(decideAnsweredGrant(paid, 'wev_1', moment)).toBe(paid);
});
