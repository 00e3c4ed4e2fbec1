import { describe, expect, test } from 'vitest';
import { aReward } from '../../../../test/reward-row.ts';
import { addMs } from '../../../platform/kit/instant.ts';
import { countsAsGiven, type RewardRow } from '../reward.ts';
import { applyRefund, type PurchaseStanding } from './apply-refund.ts';

const NOW = '2026-11-16T08:00:00.000Z';
const newId = (prefix: string) => `${prefix}_1`;
const PROPORTIONAL = { refundPolicy: 'proportional', roundingPolicy: 'half_up' } as const;
const FULL = { refundPolicy: 'full', roundingPolicy: 'half_up' } as const;

/** A purchase of 1000 of which this much is refunded finally, and this much is disputed. */
const left = (refunded: bigint, disputed = 0n): PurchaseStanding => ({
  amountMinor: 1000n,
  refundedTotalMinor: refunded + disputed,
  disputedTotalMinor: disputed,
});
const apply = (
  row: RewardRow,
  standing: PurchaseStanding,
  terms: Parameters<typeof applyRefund>[1] = PROPORTIONAL,
) => applyRefund(row, terms, standing, { now: NOW, newId }).reward;
const record = {
  id: 'ful_0',
  externalReference: 'grant',
  occurredAt: NOW,
  actor: 'api' as const,
};
const granted = (kind: RewardRow['benefitKind'], changes: Partial<RewardRow> = {}) =>
  aReward(kind, { fulfillmentStatus: 'fulfilled', fulfillment: record, ...changes });

describe('what was granted and is refunded in full (D-RWD-11)', () => {
  test.each(['credit', 'discount', 'custom'] as const)('%s is asked back', (kind) => {
    const after = apply(granted(kind), left(1000n));
    expect(after).toMatchObject({
      fulfillmentStatus: 'revocation_pending',
      void: { reasonCode: 'refund', reason: null, voidedAt: NOW },
    });
    expect(apply(after, left(1000n))).toBe(after);
    expect(countsAsGiven(after)).toBe(false);
  });

  test('cash stays paid', () => {
    const after = apply(granted('cash'), left(1000n));
    expect(after).toMatchObject({ fulfillmentStatus: 'fulfilled', void: null, netAmountMinor: 0n });
    expect(countsAsGiven(after)).toBe(false);
  });

  test('credit on a balance is settled by its lines, up and down, and is never voided', () => {
    const onBalance = granted('credit', { method: 'stripe_balance', paidMinor: 500n });
    const refunded = apply(onBalance, left(1000n));
    expect(refunded).toMatchObject({
      fulfillmentStatus: 'fulfilled',
      void: null,
      netAmountMinor: 0n,
    });
    expect(apply(refunded, left(0n)).netAmountMinor).toBe(onBalance.amountMinor);
  });

  test('a part of it asks nothing back, unless the terms say that any refund takes all', () => {
    for (const kind of ['credit', 'discount', 'custom'] as const) {
      expect(apply(granted(kind), left(400n)).fulfillmentStatus).toBe('fulfilled');
      expect(apply(granted(kind), left(1n), FULL).fulfillmentStatus).toBe('revocation_pending');
    }
  });
});

describe('a restoration (D-RWD-11)', () => {
  test.each([
    ['credit', 'fulfilled', 'fulfilled'],
    ['discount', 'fulfilled', 'fulfilled'],
    ['custom', 'fulfilled', 'fulfilled'],
    ['cash', 'pending', 'pending'],
    ['credit', 'pending', 'pending'],
    ['discount', 'pending', 'pending'],
    ['custom', 'failed', 'pending'],
    ['custom', 'in_progress', 'in_progress'],
  ] as const)('gives %s that was %s back: %s', (kind, from, to) => {
    const before =
      from === 'fulfilled' ? granted(kind) : aReward(kind, { fulfillmentStatus: from });
    const refunded = apply(before, left(1000n));
    const later = addMs(NOW, 1);
    const { reward } = applyRefund(refunded, PROPORTIONAL, left(0n), { now: later, newId });
    expect(reward).toMatchObject({ fulfillmentStatus: to, void: null, updatedAt: later });
    expect(reward.netAmountMinor).toBe(before.amountMinor);
    expect(countsAsGiven(reward)).toBe(true);
  });

  test('gives nothing back that was taken back already', () => {
    const revoked: RewardRow = {
      ...apply(granted('custom'), left(1000n)),
      fulfillmentStatus: 'revoked',
      revocation: record,
    };
    expect(apply(revoked, left(0n))).toBe(revoked);
  });

  test('lifts no void of somebody else’s, whatever its code', () => {
    const voided = { id: 'void_0', reasonCode: 'refund', reason: null, voidedAt: NOW } as const;
    for (const kind of ['discount', 'custom'] as const) {
      const row = granted(kind, { fulfillmentStatus: 'revocation_pending', void: voided });
      expect(apply(row, left(1000n))).toBe(row);
      expect(apply(row, left(0n))).toBe(row);
    }
  });

  test('of a part is enough, unless the terms say that any refund takes all', () => {
    const lost = apply(granted('custom'), left(1000n), FULL);
    expect(apply(lost, left(1n), FULL)).toBe(lost);
    expect(apply(lost, left(0n), FULL).fulfillmentStatus).toBe('fulfilled');
    const returned = apply(granted('custom'), left(1000n));
    expect(apply(returned, left(999n)).fulfillmentStatus).toBe('fulfilled');
  });
});

describe('a dispute of everything (D-RWD-11)', () => {
  test.each(['cash', 'credit', 'discount', 'custom'] as const)(
    'only holds %s that was not granted, and it stands',
    (kind) => {
      const held = apply(aReward(kind), left(0n, 1000n));
      expect(held).toMatchObject({
        fulfillmentStatus: 'pending',
        deliveryStatus: 'on_hold',
        deliveryReason: 'dispute_open',
        void: null,
      });
      if (held.amountMinor !== null) expect(held.netAmountMinor).toBe(0n);
      expect(countsAsGiven(held)).toBe(true);
      const won = apply(held, left(0n));
      expect(won).toMatchObject({ deliveryStatus: 'pending', isDisputed: false });
      expect(won.netAmountMinor).toBe(won.amountMinor);
    },
  );

  test.each([
    ['cash', 'fulfilled'],
    ['credit', 'revocation_pending'],
    ['discount', 'revocation_pending'],
    ['custom', 'revocation_pending'],
  ] as const)('asks granted %s back only once it is lost', (kind, status) => {
    const open = apply(granted(kind), left(0n, 1000n));
    expect(open).toMatchObject({ fulfillmentStatus: 'fulfilled', void: null });
    expect(countsAsGiven(open)).toBe(true);
    const lost = apply(open, left(1000n));
    expect(lost.fulfillmentStatus).toBe(status);
    expect(countsAsGiven(lost)).toBe(false);
  });

  test('cancels what was not granted once it is lost, though the net moves no more', () => {
    for (const kind of ['cash', 'credit', 'custom'] as const) {
      const lost = apply(apply(aReward(kind), left(0n, 1000n)), left(1000n));
      expect(lost.fulfillmentStatus).toBe('cancelled');
      if (lost.amountMinor !== null) expect(lost.isDisputed).toBe(false);
      expect(countsAsGiven(lost)).toBe(false);
    }
  });

  test('of what a refund left holds it, and losing it cancels', () => {
    const held = apply(apply(aReward('cash'), left(600n)), left(600n, 400n));
    expect(held).toMatchObject({ deliveryReason: 'dispute_open', netAmountMinor: 0n });
    expect(apply(held, left(1000n)).fulfillmentStatus).toBe('cancelled');
    expect(apply(held, left(600n)).netAmountMinor).toBe(400n);
  });
});
