import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aReward } from '../../../../test/reward-row.ts';
import type { RewardRow } from '../reward.ts';
import { decideAnsweredGrant } from './decide-answered-grant.ts';
import { voidReward } from './decide-void.ts';
import { holdMilestone } from './hold-milestone.ts';
import { FULFILLMENT_STATUSES } from './states.ts';

const NOW = '2026-11-16T08:00:00.000Z';
const AT = 5n;

function reachedAt(changes: Partial<RewardRow> = {}): RewardRow {
  const milestone = { measure: 'purchases', value: '5', carried: '0', at: `${AT}`, multiple: 1 };
  const arithmetic = { ...aReward('cash').arithmetic, milestone } as const;
  return aReward('cash', { milestone: 'purchases', arithmetic, ...changes } as Partial<RewardRow>);
}
const moment = { now: NOW, newId: (prefix: string) => `${prefix}_1` };
const hold = (row: RewardRow, value: bigint, disputed: bigint, underReview = 0n) =>
  holdMilestone(row, { value, disputed, underReview, both: 0n }, moment);

test('a milestone is on hold while it would be lost with the disputes, and only then', () => {
  const held = hold(reachedAt(), 5n, 1n);
  expect(held).toMatchObject({
    isDisputed: true,
    deliveryStatus: 'on_hold',
    deliveryReason: 'dispute_open',
    updatedAt: NOW,
  });
  expect(hold(held, 6n, 1n)).toMatchObject({ isDisputed: false, deliveryStatus: 'pending' });
  expect(hold(held, 5n, 0n)).toMatchObject({ isDisputed: false, deliveryStatus: 'pending' });
  expect(hold(held, 7n, 3n)).toBe(held);
});

test('a milestone is on hold while it would be lost with the referrals under review, and only then', () => {
  const held = hold(reachedAt(), 6n, 0n, 2n);
  expect(held).toMatchObject({
    isUnderReview: true,
    deliveryStatus: 'on_hold',
    deliveryReason: 'risk_review',
    updatedAt: NOW,
  });
  expect(hold(held, 7n, 0n, 2n)).toMatchObject({ isUnderReview: false, deliveryStatus: 'pending' });
  expect(hold(held, 6n, 0n, 1n)).toMatchObject({ isUnderReview: false, deliveryStatus: 'pending' });
  expect(hold(held, 9n, 0n, 5n)).toBe(held);
});

test('a response that it was granted is recorded when its reviews end, also if it was voided meanwhile', () => {
  const why = { reasonCode: 'error', reason: null } as const;
  const answered = decideAnsweredGrant(hold(reachedAt(), 5n, 0n, 1n), 'wev_1', moment);
  expect(answered).toMatchObject({ fulfillmentStatus: 'pending', answeredEventId: 'wev_1' });
  expect(hold(answered, 5n, 0n, 1n)).toBe(answered);
  const granted = { fulfillment: { externalReference: 'wev_1' }, answeredEventId: null };
  for (const row of [answered, voidReward(answered, why, NOW, moment.newId)]) {
    expect(hold(row, 6n, 0n, 1n)).toMatchObject({ ...granted, fulfillmentStatus: 'fulfilled' });
  }
});

test('what is under way or granted keeps its status', () => {
  for (const fulfillmentStatus of FULFILLMENT_STATUSES) {
    const row = reachedAt({ fulfillmentStatus });
    const held = hold(row, 5n, 1n);
    expect(held.fulfillmentStatus).toBe(fulfillmentStatus);
    expect(held.deliveryReason === 'dispute_open').toBe(fulfillmentStatus === 'pending');
    const checked = hold(row, 5n, 0n, 1n);
    expect(checked).toMatchObject({ fulfillmentStatus, isUnderReview: true });
  }
});

test('a voided one is left as it is', () => {
  const why = { reasonCode: 'fraud', reason: null } as const;
  const row = voidReward(reachedAt(), why, NOW, () => 'void_1');
  expect(hold(row, 5n, 1n, 1n)).toBe(row);
});

test('whatever came before, the last measure decides', () => {
  // What is safe, what a dispute may take, what a review may take, and what either may.
  const part = fc.bigInt(0n, 6n);
  const measure = fc.tuple(part, part, part, part).map(([safe, disputed, reviewed, both]) => ({
    safe,
    value: safe + disputed + reviewed + both,
    disputed: disputed + both,
    underReview: reviewed + both,
    both,
  }));
  const property = fc.property(fc.array(measure), measure, (before, last) => {
    const row = before.reduce((one, each) => holdMilestone(one, each, moment), reachedAt());
    const { isDisputed, isUnderReview } = holdMilestone(row, last, moment);
    const { value, disputed, underReview, safe } = last;
    const isReached = value >= AT;
    expect(isDisputed).toBe(isReached && value - disputed < AT);
    expect(isDisputed || isUnderReview).toBe(isReached && safe < AT);
    if (isReached && value - underReview < AT) expect(isUnderReview).toBe(true);
    if (underReview === 0n) expect(isUnderReview).toBe(false);
  });
  fc.assert(property, { numRuns: 500 });
});
