import { describe, expect, test } from 'vitest';
import { aReward } from '../../../../test/reward-row.ts';
import type { RewardRow } from '../reward.ts';
import { applyRefund, voidForRefund } from './apply-refund.ts';
import { decideVoid } from './decide-void.ts';
import type { FulfillmentStatus } from './states.ts';

const NOW = '2026-11-17T08:00:00.000Z';
const moment = { now: NOW, newId: (prefix: string) => `${prefix}_2` };
const fraud = { reasonCode: 'fraud', reason: 'Bots.' } as const;

test.each([
  ['custom', 'pending', 'cancelled', 'cancelled'],
  ['cash', 'pending', 'cancelled', 'cancelled'],
  ['credit', 'failed', 'cancelled', 'cancelled'],
  ['cash', 'in_progress', 'in_progress', 'processing'],
  ['credit', 'in_progress', 'in_progress', 'processing'],
  ['custom', 'fulfilled', 'revocation_pending', 'delivered'],
  ['discount', 'fulfilled', 'revocation_pending', 'delivered'],
  ['cash', 'fulfilled', 'fulfilled', 'delivered'],
  ['credit', 'cancelled', 'cancelled', 'cancelled'],
] as const)(
  'a %s Reward that is %s is voided and then %s, its delivery %s (D-RWD-3)',
  (kind, from, to, delivery) => {
    const row = aReward(kind, { fulfillmentStatus: from });
    const decision = decideVoid(row, fraud, moment);
    expect(decision).toMatchObject({
      reward: {
        fulfillmentStatus: to,
        deliveryStatus: delivery,
        netAmountMinor: row.netAmountMinor,
        void: { id: 'void_2', ...fraud, voidedAt: NOW },
        updatedAt: NOW,
      },
    });
  },
);

test('the same code again returns the Reward with its first words, another differs (D-RWD-9)', () => {
  const first = decideVoid(aReward('custom'), fraud, moment);
  const row = (first as { reward: RewardRow }).reward;
  const again = decideVoid(row, { reasonCode: 'fraud', reason: 'Other words.' }, moment);
  expect('reward' in again && again.reward).toBe(row);
  const other = decideVoid(row, { reasonCode: 'duplicate', reason: 'Bots.' }, moment);
  expect('refused' in other && other.refused.reason).toBe('void_facts_differ');
});

describe('a Reward that the system voided for a refund', () => {
  const EARLIER = '2026-11-16T08:00:00.000Z';
  const TERMS = { refundPolicy: 'proportional', roundingPolicy: 'half_up' } as const;
  const asRefunded = (from: FulfillmentStatus) =>
    voidForRefund(
      aReward('custom', { fulfillmentStatus: from }),
      EARLIER,
      (prefix) => `${prefix}_1`,
    );

  test.each(
    (['pending', 'failed', 'in_progress', 'fulfilled'] as const).flatMap((from) =>
      [fraud, { reasonCode: 'refund', reason: null } as const].map(
        (facts) => [from, facts] as const,
      ),
    ),
  )('when it was %s is voided by %o for good, as if nothing had come before', (from, facts) => {
    const decision = decideVoid(asRefunded(from), facts, moment);
    expect(decision).toEqual(
      decideVoid(aReward('custom', { fulfillmentStatus: from }), facts, moment),
    );
    const { reward } = decision as { reward: RewardRow };
    expect(decideVoid(reward, facts, moment)).toEqual({ reward });
    const restored = { amountMinor: 10n, refundedTotalMinor: 0n, disputedTotalMinor: 0n };
    expect(applyRefund(reward, TERMS, restored, moment).reward).toBe(reward);
  });

  test('and taken back since stays taken back', () => {
    const revoked = { ...asRefunded('fulfilled'), fulfillmentStatus: 'revoked' as const };
    expect(decideVoid(revoked, fraud, moment)).toMatchObject({
      reward: { fulfillmentStatus: 'revoked', void: { id: 'void_2', ...fraud } },
    });
  });
});
