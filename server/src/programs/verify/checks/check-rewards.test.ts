import { expect, test } from 'vitest';
import { deliveryOf, FULFILLMENT_STATUSES } from '../../../domain/rewards/decide/states.ts';
import type { RewardRecord, RewardVoid } from '../../../domain/rewards/reward.ts';
import type { AuditedReward } from '../stores/fact-store.ts';
import { checkState } from './check-rewards.ts';

const AT = '2026-11-15T09:30:00.000Z';
const record: RewardRecord = { id: 'ful_1', externalReference: 'x', occurredAt: AT, actor: 'api' };
const voided: RewardVoid = { id: 'void_1', reasonCode: 'fraud', reason: null, voidedAt: AT };

type Case = Partial<
  Pick<AuditedReward, 'fulfillmentStatus' | 'void' | 'benefitKind' | 'netAmountMinor'>
>;

/** A reward in that state, with matching records and delivery. */
function reward(given: Case): AuditedReward {
  const status = given.fulfillmentStatus ?? 'pending';
  const isGranted = ['fulfilled', 'revocation_pending', 'revoked'].includes(status);
  const row = {
    id: 'rwd_1',
    benefitKind: 'credit',
    netAmountMinor: 100n,
    method: 'operator',
    earnedAt: AT,
    availableAt: AT,
    updatedAt: AT,
    deliveryReason: null,
    void: null,
    fulfillment: isGranted ? record : null,
    revocation: status === 'revoked' ? record : null,
    ...given,
    fulfillmentStatus: status,
  } as AuditedReward;
  const delivery = deliveryOf(row, AT);
  return { ...row, deliveryStatus: delivery.status, deliveryReason: delivery.reason };
}

const POSSIBLE: readonly Case[] = [
  {},
  { fulfillmentStatus: 'in_progress' },
  { fulfillmentStatus: 'in_progress', void: voided },
  { fulfillmentStatus: 'in_progress', netAmountMinor: 0n },
  { fulfillmentStatus: 'failed' },
  { fulfillmentStatus: 'fulfilled' },
  { fulfillmentStatus: 'fulfilled', netAmountMinor: 0n },
  { fulfillmentStatus: 'fulfilled', benefitKind: 'cash', void: voided },
  { fulfillmentStatus: 'cancelled', void: voided },
  { fulfillmentStatus: 'cancelled', netAmountMinor: 0n },
  { fulfillmentStatus: 'revocation_pending', void: voided },
  { fulfillmentStatus: 'revoked', void: voided },
];
test.each(POSSIBLE)('a Reward can be %o', (given) => {
  expect(checkState(reward(given))).toEqual([]);
});

const IMPOSSIBLE: readonly Case[] = [
  { void: voided },
  { netAmountMinor: 0n },
  { fulfillmentStatus: 'fulfilled', void: voided },
  { fulfillmentStatus: 'cancelled' },
  { fulfillmentStatus: 'revocation_pending' },
  { fulfillmentStatus: 'revoked' },
  { fulfillmentStatus: 'revocation_pending', benefitKind: 'cash', void: voided },
  { fulfillmentStatus: 'revoked', benefitKind: 'cash', void: voided },
];
test.each(IMPOSSIBLE)('a Reward cannot be %o', (given) => {
  expect(checkState(reward(given)).map(({ field }) => field)).toEqual(['fulfillmentStatus']);
});

test('a status that nobody knows is told as such', () => {
  const unknown = { ...reward({}), fulfillmentStatus: 'lost' } as unknown as AuditedReward;
  expect(checkState(unknown)).toMatchObject([{ stored: 'lost', expected: 'a known status' }]);
});

test('a record of a grant goes with every status that was granted, and with no other', () => {
  for (const fulfillmentStatus of FULFILLMENT_STATUSES) {
    if (fulfillmentStatus === 'cancelled') continue;
    const whole = reward({ fulfillmentStatus, void: null });
    const other = { ...whole, fulfillment: whole.fulfillment === null ? record : null };
    expect(checkState(other).map(({ field }) => field)).toContain('fulfillment');
  }
});

test('a hold that an earlier version did not write down is no difference', () => {
  const held = { ...reward({}), availableAt: '2026-11-16T09:30:00.000Z' as const };
  expect(checkState(held)).toEqual([]);
  expect(checkState({ ...held, deliveryStatus: 'on_hold', deliveryReason: 'hold_period' })).toEqual(
    [],
  );
  expect(checkState({ ...held, deliveryReason: 'awaiting_manual' })).not.toEqual([]);
});
