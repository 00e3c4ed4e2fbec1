import { expect, test } from 'vitest';
import { aReward } from '../../../../test/reward-row.ts';
import type { RewardRow } from '../reward.ts';
import { decideRetry } from './decide-retry.ts';

const NOW = '2026-11-17T08:00:00.000Z';
const retry = (row: RewardRow, isErased = false) => {
  const decision = decideRetry(row, isErased, NOW);
  return 'refused' in decision ? decision.refused.reason : decision.reward;
};
const voided = { id: 'void_1', reasonCode: 'fraud', reason: null, voidedAt: NOW } as const;
const failed = {
  method: 'stripe_balance',
  fulfillmentStatus: 'failed',
  deliveryReason: 'provider_error',
} as const;

test('what failed waits again, and the failure is no longer its reason', () => {
  const row = aReward('credit', failed);
  expect(retry(row)).toEqual({
    ...row,
    fulfillmentStatus: 'pending',
    deliveryStatus: 'pending',
    deliveryReason: 'provider_pending',
    updatedAt: NOW,
  });
});

test('what waits already is returned as it is', () => {
  const row = aReward('credit');
  expect(retry(row)).toBe(row);
});

test.each(['in_progress', 'fulfilled', 'cancelled', 'revocation_pending', 'revoked'] as const)(
  'what is %s is not tried again',
  (fulfillmentStatus) => {
    expect(retry(aReward('credit', { fulfillmentStatus }))).toBe('invalid_transition');
  },
);

test('what is owed no more, or to nobody, does not wait again', () => {
  expect(retry(aReward('credit', { ...failed, void: voided }))).toBe('reward_voided');
  expect(retry(aReward('credit', { ...failed, netAmountMinor: 0n }))).toBe('reward_cancelled');
  expect(retry(aReward('credit', failed), true)).toBe('participant_deleted');
});
