import { describe, expect, test } from 'vitest';
import { aReward, EARNED_AT } from '../../../test/reward-row.ts';
import {
  FULFILLMENT_STATUSES,
  type FulfillmentStatus,
} from '../../domain/rewards/decide/states.ts';
import type { RewardRow } from '../../domain/rewards/reward.ts';
import type { PayoutDetails } from '../../outbound/payouts/details/details-schema.ts';
import { addMs, DAY_MS, type Instant } from '../../platform/kit/instant.ts';
import { holdReason, type WidgetStatus, widgetAction, widgetStatus } from './reward-status.ts';

const VOID = {
  id: 'vod_1',
  reasonCode: 'error',
  reason: null,
  voidedAt: EARNED_AT,
} as const;
const LATER = addMs(EARNED_AT, DAY_MS);

/** D-WID-2, each status of a reward: as cash, as anything else, and after a void. */
const TABLE: Record<FulfillmentStatus, readonly [WidgetStatus, WidgetStatus, WidgetStatus]> = {
  pending: ['pending', 'pending', 'cancelled'],
  in_progress: ['processing', 'processing', 'cancelled'],
  fulfilled: ['paid', 'granted', 'cancelled'],
  failed: ['failed', 'failed', 'cancelled'],
  cancelled: ['cancelled', 'cancelled', 'cancelled'],
  revocation_pending: ['cancelled', 'cancelled', 'cancelled'],
  revoked: ['revoked', 'revoked', 'revoked'],
};

describe('the status of a Reward', () => {
  test.each(FULFILLMENT_STATUSES)('that is %s', (fulfillmentStatus) => {
    const [cash, other, voided] = TABLE[fulfillmentStatus];
    expect(widgetStatus(aReward('cash', { fulfillmentStatus }), EARNED_AT)).toBe(cash);
    for (const kind of ['credit', 'discount', 'custom'] as const) {
      expect(widgetStatus(aReward(kind, { fulfillmentStatus }), EARNED_AT)).toBe(other);
      const gone = aReward(kind, { fulfillmentStatus, void: VOID });
      expect(widgetStatus(gone, EARNED_AT)).toBe(voided);
    }
  });

  test('is on_hold until it is available, whoever delivers it, and while a dispute is open', () => {
    for (const method of ['operator', 'manual', 'payout'] as const) {
      const held = aReward('cash', { method, availableAt: LATER });
      expect(widgetStatus(held, EARNED_AT)).toBe('on_hold');
      expect(widgetStatus(held, LATER)).toBe('pending');
      const disputed = aReward('cash', { method, isDisputed: true });
      expect(widgetStatus(disputed, LATER)).toBe('on_hold');
    }
    // A grant may come earlier: the hold never prevents it.
    const granted = aReward('credit', { fulfillmentStatus: 'fulfilled', availableAt: LATER });
    expect(widgetStatus(granted, EARNED_AT)).toBe('granted');
  });
});

test('a Reward is on hold for its time, or for as long as it is looked into', () => {
  const reasonAt = (row: RewardRow, now: Instant) => holdReason(row, widgetStatus(row, now), now);
  const held = aReward('cash', { availableAt: LATER });
  expect(reasonAt(held, EARNED_AT)).toBe('waiting_period');
  expect(reasonAt(held, LATER)).toBeNull();
  for (const why of [{ isDisputed: true }, { isUnderReview: true }]) {
    const checked = aReward('cash', { availableAt: LATER, ...why });
    expect(reasonAt(checked, EARNED_AT)).toBe('review');
    expect(reasonAt(checked, LATER)).toBe('review');
  }
});

describe('what its owner can do', () => {
  const details = (status: PayoutDetails['status']): PayoutDetails => ({
    configured: status !== null,
    type: null,
    label: null,
    country: null,
    currency: null,
    status,
    updatedAt: null,
    onboardingUrl: null,
  });
  const actionOf = (row: RewardRow, status: PayoutDetails['status'] = null) =>
    widgetAction(row, widgetStatus(row, EARNED_AT), details(status));
  const cash = (changes: Partial<RewardRow> = {}) =>
    aReward('cash', { method: 'payout', ...changes });

  test('is to tell where to be paid, whatever the Reward waits for', () => {
    expect(actionOf(cash())).toBe('add_payout_method');
    expect(actionOf(cash({ availableAt: LATER }))).toBe('add_payout_method');
    expect(actionOf(cash({ fulfillmentStatus: 'in_progress' }))).toBe('add_payout_method');
    expect(actionOf(cash(), 'active')).toBeNull();
    expect(actionOf(cash(), 'cooling_down')).toBeNull();
    expect(actionOf(cash(), 'needs_update')).toBe('update_payout_method');
  });

  test('is nothing once it is paid or not owed any more', () => {
    const net = cash().netAmountMinor as bigint;
    const paid = { fulfillmentStatus: 'fulfilled', paidMinor: net } as const;
    for (const status of [null, 'needs_update'] as const) {
      expect(actionOf(cash(paid), status)).toBeNull();
      expect(actionOf(cash({ void: VOID }), status)).toBeNull();
      expect(actionOf(cash({ fulfillmentStatus: 'cancelled' }), status)).toBeNull();
      expect(actionOf(aReward('cash'), status)).toBeNull();
      expect(actionOf(aReward('credit'), status)).toBeNull();
    }
  });

  test('is to ask for help if the delivery failed', () => {
    expect(actionOf(aReward('credit', { fulfillmentStatus: 'failed' }))).toBe('contact_support');
  });
});
