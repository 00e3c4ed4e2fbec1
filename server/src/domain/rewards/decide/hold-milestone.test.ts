import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aReward } from '../../../../test/reward-row.ts';
import type { RewardRow } from '../reward.ts';
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
const hold = (row: RewardRow, value: bigint, atStake: bigint) =>
  holdMilestone(row, { value, atStake }, NOW);

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

test('what is under way or granted keeps its status', () => {
  for (const fulfillmentStatus of FULFILLMENT_STATUSES) {
    const row = reachedAt({ fulfillmentStatus });
    const held = hold(row, 5n, 1n);
    expect(held.fulfillmentStatus).toBe(fulfillmentStatus);
    expect(held.deliveryReason === 'dispute_open').toBe(fulfillmentStatus === 'pending');
  }
});

test('a voided one is left as it is', () => {
  const why = { reasonCode: 'fraud', reason: null } as const;
  const row = voidReward(reachedAt(), why, NOW, () => 'void_1');
  expect(hold(row, 5n, 1n)).toBe(row);
});

test('whatever came before, the last measure decides', () => {
  const measure = fc.record({ value: fc.bigInt(0n, 10n), atStake: fc.bigInt(0n, 10n) });
  const property = fc.property(fc.array(measure), measure, (before, last) => {
    const row = before.reduce((one, each) => holdMilestone(one, each, NOW), reachedAt());
    const isHeld = last.value >= AT && last.value - last.atStake < AT;
    expect(holdMilestone(row, last, NOW).isDisputed).toBe(isHeld);
  });
  fc.assert(property, { numRuns: 500 });
});
