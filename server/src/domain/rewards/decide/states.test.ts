import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  DELIVERY_METHODS,
  DELIVERY_REASONS,
  type DeliveryFacts,
  deliveryOf,
  FULFILLMENT_STATUSES,
  type FulfillmentStatus,
  REWARD_TRIGGERS,
  type RewardTrigger,
  transition,
} from './states.ts';

/** The decision table, row by row. */
const ROWS: readonly [FulfillmentStatus, RewardTrigger, FulfillmentStatus][] = [
  ['pending', 'record_grant', 'fulfilled'],
  ['pending', 'submit', 'in_progress'],
  ['in_progress', 'confirm', 'fulfilled'],
  ['in_progress', 'release', 'pending'],
  ['in_progress', 'refuse', 'failed'],
  ['failed', 'retry', 'pending'],
  ['pending', 'void', 'cancelled'],
  ['pending', 'void_cash', 'cancelled'],
  ['failed', 'void', 'cancelled'],
  ['failed', 'void_cash', 'cancelled'],
  ['pending', 'refund_all', 'cancelled'],
  ['failed', 'refund_all', 'cancelled'],
  ['cancelled', 'restore', 'pending'],
  ['in_progress', 'restore', 'in_progress'],
  ['revocation_pending', 'restore', 'fulfilled'],
  ['fulfilled', 'return_part', 'fulfilled'],
  ['fulfilled', 'return_owed', 'pending'],
  ['fulfilled', 'return_unowed', 'cancelled'],
  ['fulfilled', 'void', 'revocation_pending'],
  ['fulfilled', 'void_cash', 'fulfilled'],
  ['in_progress', 'void', 'in_progress'],
  ['in_progress', 'void_cash', 'in_progress'],
  ['in_progress', 'refund_all', 'in_progress'],
  ['in_progress', 'release_unowed', 'cancelled'],
  ['in_progress', 'confirm_voided', 'revocation_pending'],
  ['cancelled', 'record_late_grant', 'revocation_pending'],
  ['cancelled', 'record_late_kept_grant', 'fulfilled'],
  ['revocation_pending', 'record_revocation', 'revoked'],
];

const statuses = fc.constantFrom(...FULFILLMENT_STATUSES);
const triggers = fc.constantFrom(...REWARD_TRIGGERS);

test('every move of the table happens, and no other (D-RWD-3)', () => {
  const moves = FULFILLMENT_STATUSES.flatMap((from) =>
    REWARD_TRIGGERS.flatMap((trigger) => {
      const to = transition(from, trigger);
      return to === undefined ? [] : [`${from} ${trigger} ${to}`];
    }),
  );
  expect(moves.toSorted()).toEqual(ROWS.map((row) => row.join(' ')).toSorted());
});

function follow(from: FulfillmentStatus, steps: readonly RewardTrigger[]): FulfillmentStatus[] {
  const path = [from];
  for (const step of steps) path.push(transition(path.at(-1) ?? from, step) ?? path.at(-1) ?? from);
  return path;
}

test('whatever happens, a Reward stays in one of the seven statuses', () => {
  fc.assert(
    fc.property(statuses, fc.array(triggers, { maxLength: 40 }), (from, steps) => {
      for (const status of follow(from, steps)) expect(FULFILLMENT_STATUSES).toContain(status);
    }),
  );
});

test('what was revoked never moves again; what is to be revoked is, unless a restoration comes first', () => {
  const others = triggers.filter((trigger) => trigger !== 'restore');
  fc.assert(
    fc.property(fc.array(others, { maxLength: 40 }), (steps) => {
      expect(new Set(follow('revoked', [...steps, 'restore']))).toEqual(new Set(['revoked']));
      const after = follow('revocation_pending', steps).at(-1);
      const isRevoked = steps.includes('record_revocation');
      expect(after).toBe(isRevoked ? 'revoked' : 'revocation_pending');
    }),
  );
});

test('cash that was paid is never revoked (D-RWD-3)', () => {
  const ofCash = REWARD_TRIGGERS.filter(
    (trigger) =>
      !['void', 'confirm_voided', 'record_late_grant', 'record_revocation'].includes(trigger),
  );
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...ofCash), { maxLength: 40 }), (steps) => {
      const path = follow('pending', steps);
      expect(path).not.toContain('revocation_pending');
      expect(path).not.toContain('revoked');
    }),
  );
});

test('what was cancelled by a void moves only by news of a grant that was under way (D-RWD-8)', () => {
  const others = REWARD_TRIGGERS.filter(
    (trigger) => !['restore', 'record_late_grant', 'record_late_kept_grant'].includes(trigger),
  );
  for (const trigger of others) expect(transition('cancelled', trigger)).toBeUndefined();
});

const NOW = '2026-11-15T09:30:00.000Z';
const LATER = '2026-11-15T09:30:00.001Z';
const reward = (changes: Partial<DeliveryFacts> = {}): DeliveryFacts => ({
  method: 'operator',
  fulfillmentStatus: 'pending',
  availableAt: NOW,
  deliveryReason: null,
  isDisputed: false,
  isUnderReview: false,
  void: null,
  ...changes,
});

test.each([
  ['operator', 'awaiting_operator'],
  ['manual', 'awaiting_manual'],
  ['payout', 'awaiting_payout'],
  ['stripe_balance', 'provider_pending'],
  ['stripe_coupon', 'provider_pending'],
] as const)('a pending Reward by %s is %s (D-RWD-4)', (method, reason) => {
  expect(deliveryOf(reward({ method }), NOW)).toEqual({ status: 'pending', reason });
});

test.each(DELIVERY_METHODS)('%s is on hold until exactly availableAt (D-RWD-5)', (method) => {
  const held = reward({ method, availableAt: LATER, deliveryReason: 'hold_period' });
  expect(deliveryOf(held, NOW)).toEqual({ status: 'on_hold', reason: 'hold_period' });
  expect(deliveryOf(held, LATER).status).toBe('pending');
});

test('an open dispute holds an ungranted Reward of any method, and only that (D-RWD-11)', () => {
  for (const method of DELIVERY_METHODS) {
    const disputed = reward({ method, isDisputed: true });
    expect(deliveryOf(disputed, NOW)).toEqual({ status: 'on_hold', reason: 'dispute_open' });
    expect(deliveryOf({ ...disputed, fulfillmentStatus: 'fulfilled' }, NOW).status).toBe(
      'delivered',
    );
  }
});

test('a review holds an ungranted Reward of any method, before any other reason, and only that', () => {
  for (const method of DELIVERY_METHODS) {
    const held = reward({ method, isUnderReview: true, isDisputed: true, availableAt: LATER });
    expect(deliveryOf(held, NOW)).toEqual({ status: 'on_hold', reason: 'risk_review' });
    expect(deliveryOf({ ...held, isUnderReview: false }, NOW).reason).toBe('dispute_open');
    expect(deliveryOf({ ...held, fulfillmentStatus: 'in_progress' }, NOW).status).toBe(
      'processing',
    );
    expect(deliveryOf({ ...held, fulfillmentStatus: 'fulfilled' }, NOW).status).toBe('delivered');
  }
});

test.each([
  ['payout', 'below_minimum'],
  ['payout', 'above_maximum'],
  ['payout', 'awaiting_payout_details'],
  ['payout', 'payout_failed'],
  ['payout', 'payout_returned'],
  ['stripe_balance', 'awaiting_billing_account'],
  ['stripe_coupon', 'provider_error'],
] as const)('what the delivery by %s told stays: %s', (method, deliveryReason) => {
  expect(deliveryOf(reward({ method, deliveryReason }), NOW)).toEqual({
    status: 'pending',
    reason: deliveryReason,
  });
});

test('a reason of before does not outlive what it explained', () => {
  expect(deliveryOf(reward({ deliveryReason: 'refunded' }), NOW).reason).toBe('awaiting_operator');
  expect(
    deliveryOf(reward({ method: 'payout', deliveryReason: 'provider_pending' }), NOW).reason,
  ).toBe('awaiting_payout');
});

test.each([
  ['in_progress', null, { status: 'processing', reason: 'provider_pending' }],
  ['failed', null, { status: 'failed', reason: 'provider_error' }],
  ['failed', 'provider_rejected', { status: 'failed', reason: 'provider_rejected' }],
  ['cancelled', null, { status: 'cancelled', reason: 'refunded' }],
  ['fulfilled', 'provider_pending', { status: 'delivered', reason: null }],
  ['revocation_pending', null, { status: 'delivered', reason: null }],
  ['revoked', null, { status: 'delivered', reason: null }],
] as const)(
  'a Reward that is %s (%s) is told so',
  (fulfillmentStatus, deliveryReason, delivery) => {
    const facts = reward({ method: 'stripe_balance', fulfillmentStatus, deliveryReason });
    expect(deliveryOf(facts, NOW)).toEqual(delivery);
  },
);

test('a void tells a cancelled Reward from a refunded one', () => {
  const voided = reward({ fulfillmentStatus: 'cancelled', void: { id: 'void' } });
  expect(deliveryOf(voided, NOW)).toEqual({ status: 'cancelled', reason: 'voided' });
});

test('delivery has a reason exactly while it is not delivered or cannot be taken back, and asking twice changes nothing', () => {
  const facts = fc.record({
    method: fc.constantFrom(...DELIVERY_METHODS),
    fulfillmentStatus: statuses,
    availableAt: fc.constantFrom(NOW, LATER),
    deliveryReason: fc.option(fc.constantFrom(...DELIVERY_REASONS)),
    isDisputed: fc.boolean(),
    isUnderReview: fc.boolean(),
    void: fc.option(fc.constant({ id: 'void' })),
  });
  fc.assert(
    fc.property(facts, (one) => {
      const { status, reason } = deliveryOf(one, NOW);
      const isStuck = reason === 'provider_error' || reason === 'provider_rejected';
      if (status !== 'delivered') expect(reason).not.toBeNull();
      else if (isStuck)
        expect(['fulfilled', 'revocation_pending']).toContain(one.fulfillmentStatus);
      else expect(reason).toBeNull();
      expect(deliveryOf({ ...one, deliveryReason: reason }, NOW)).toEqual({ status, reason });
    }),
  );
});
