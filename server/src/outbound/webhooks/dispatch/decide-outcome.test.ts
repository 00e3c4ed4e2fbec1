import { describe, expect, test } from 'vitest';
import type { FeedRow } from '../../../platform/feed/render-event.ts';
import type { SendResult } from '../sender/exchange.ts';
import { decideOutcome, grantedReward } from './decide-outcome.ts';

const AT = '2026-11-15T09:30:00.000Z';
const answered = (status: number): SendResult => ({
  outcome: 'answered',
  status,
  bodyStart: '',
  latencyMs: 1,
});
const failed: SendResult = {
  outcome: 'failed',
  reason: 'timed_out',
  message: 'No answer in time.',
  latencyMs: 10_000,
};

describe('what becomes of a delivery', () => {
  test.each([200, 202, 204, 299])('%s is success', (status) => {
    expect(decideOutcome(answered(status), 1, AT)).toEqual({ outcome: 'succeeded' });
  });
  test.each([answered(199), answered(300), answered(404), answered(500), failed])(
    'whatever else is retried: %o',
    (result) => {
      expect(decideOutcome(result, 1, AT)).toEqual({
        outcome: 'retrying',
        dueAt: '2026-11-15T09:30:30.000Z',
      });
    },
  );
  test('the 80th is the last', () => {
    expect(decideOutcome(failed, 79, AT).outcome).toBe('retrying');
    expect(decideOutcome(failed, 80, AT)).toEqual({ outcome: 'failed' });
    expect(decideOutcome(answered(200), 80, AT)).toEqual({ outcome: 'succeeded' });
  });
});

describe('what an answer grants', () => {
  const earned = (method: string, type = 'reward.earned'): FeedRow => ({
    position: 1,
    id: 'wev_1',
    type,
    occurredAt: AT,
    data: JSON.stringify({ reward: { id: 'rwd_1', delivery: { method } } }),
  });
  test.each(['operator', 'manual'])('a 2xx other than 202, by %s', (method) => {
    expect(grantedReward(earned(method), answered(200))).toBe('rwd_1');
    expect(grantedReward(earned(method), answered(299))).toBe('rwd_1');
    for (const result of [answered(202), answered(199), answered(300), failed]) {
      expect(grantedReward(earned(method), result)).toBeNull();
    }
  });
  test.each(['payout', 'stripe_balance', 'stripe_coupon'])('nothing of %s', (method) => {
    expect(grantedReward(earned(method), answered(200))).toBeNull();
  });
  test('nothing by another event', () => {
    expect(grantedReward(earned('operator', 'reward.voided'), answered(200))).toBeNull();
  });
});
