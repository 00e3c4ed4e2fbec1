import { expect, test } from 'vitest';
import { aReward } from '../../../../test/reward-row.ts';
import type { RewardRow } from '../reward.ts';
import { decideRevocation } from './decide-revocation.ts';
import { FULFILLMENT_STATUSES } from './states.ts';

const NOW = '2026-11-17T08:00:00.000Z';
const moment = { now: NOW, newId: (prefix: string) => `${prefix}_2` };
const takeBack = (row: RewardRow, externalReference = 'back-1') =>
  decideRevocation(row, { externalReference, actor: 'api' }, moment);
const why = (row: RewardRow, externalReference?: string) => {
  const decision = takeBack(row, externalReference);
  return 'refused' in decision ? (decision.refused.reason ?? decision.refused.code) : 'taken';
};

const record = {
  id: 'ful_1',
  externalReference: 'grant-1',
  occurredAt: NOW,
  actor: 'api',
} as const;
const granted = {
  fulfillmentStatus: 'revocation_pending',
  fulfillment: record,
  void: { id: 'void_1', reasonCode: 'fraud', reason: null, voidedAt: NOW },
} as const;

test.each(['credit', 'discount', 'custom'] as const)(
  'a %s Reward that is to be taken back is revoked, and says by whom and when',
  (kind) => {
    const row = aReward(kind, granted);
    expect(takeBack(row)).toEqual({
      reward: {
        ...row,
        fulfillmentStatus: 'revoked',
        revocation: { id: 'rev_2', externalReference: 'back-1', occurredAt: NOW, actor: 'api' },
        updatedAt: NOW,
      },
    });
  },
);

test('a repeat returns the Reward, another reference differs', () => {
  const revocation = { ...record, id: 'rev_1', externalReference: 'back-1' };
  const row = aReward('custom', { ...granted, fulfillmentStatus: 'revoked', revocation });
  const decision = takeBack(row);
  expect('reward' in decision && decision.reward).toBe(row);
  expect(why(row, 'back-2')).toBe('revocation_facts_differ');
});

test('nothing is taken back that is not revocation_pending', () => {
  const others = FULFILLMENT_STATUSES.filter((one) => one !== 'revocation_pending');
  for (const fulfillmentStatus of others) {
    expect(why(aReward('custom', { fulfillmentStatus }))).toBe('revocation_not_pending');
  }
});

test('cash, and what the service delivered, is not for the product to take back (D-ERR-2)', () => {
  for (const fulfillmentStatus of FULFILLMENT_STATUSES) {
    expect(why(aReward('cash', { ...granted, fulfillmentStatus }))).toBe(
      'UNSUPPORTED_DELIVERY_METHOD',
    );
  }
  for (const method of ['stripe_balance', 'stripe_coupon'] as const) {
    expect(why(aReward('credit', { ...granted, method }))).toBe('UNSUPPORTED_DELIVERY_METHOD');
  }
});
