import { expect, test } from 'vitest';
import { checkCancelled } from './check-cancelled.ts';

const voided = (fulfillmentStatus: string) => ({
  type: 'reward.voided',
  data: { reward: { id: 'rwd', fulfillmentStatus } },
});
const paid = (amountMinor: string) => ({
  type: 'payout.paid',
  data: { payout: { id: 'po', rewards: [{ rewardId: 'rwd', amountMinor }] } },
});
const found = (...feed: object[]) => checkCancelled({ feed });

test('only what was cancelled before it was paid is a finding', () => {
  expect(found(voided('cancelled'), paid('5'))).toEqual(['po has paid rwd, which was cancelled']);
  expect(found(voided('cancelled'), paid('-5'))).toEqual([]);
  expect(found(paid('5'), voided('cancelled'))).toEqual([]);
});

test('a payout that was on its way when its reward was voided may arrive', () => {
  expect(found(voided('in_progress'), paid('5'))).toEqual([]);
});
