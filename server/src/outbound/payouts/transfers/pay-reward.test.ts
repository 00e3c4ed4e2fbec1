import assert from 'node:assert/strict';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aReward, EARNED_AT as NOW } from '../../../../test/reward-row.ts';
import { rounds } from '../../../../test/rounds.ts';
import { applyRefund } from '../../../domain/rewards/decide/apply-refund.ts';
import { voidReward } from '../../../domain/rewards/decide/decide-void.ts';
import { deliveryOf } from '../../../domain/rewards/decide/states.ts';
import { amountDueOf, type RewardRow, targetOf } from '../../../domain/rewards/reward.ts';
import { type LineState, type PayoutStatus, type PayoutTrigger, transition } from '../states.ts';
import { releaseLine, reserveLine, returnLine, settleLine, startPaying } from './pay-reward.ts';

const newId = (prefix: string) => `${prefix}_new`;
const moment = { now: NOW, newId };
const by = { payoutId: 'po_1', providerReference: 'bank-1' };
const cash = (more: Partial<RewardRow> = {}) => aReward('cash', { method: 'payout', ...more });
const pay = (row: RewardRow) => settleLine(startPaying(row, NOW), amountDueOf(row), by, moment);
const voided = (row: RewardRow) =>
  voidReward(row, { reasonCode: 'fraud', reason: null }, NOW, newId);
const worth = (row: RewardRow, net: bigint) =>
  applyRefund(
    row,
    { refundPolicy: 'proportional', roundingPolicy: 'half_up' },
    {
      amountMinor: row.amountMinor ?? 0n,
      refundedTotalMinor: (row.amountMinor ?? 0n) - net,
      disputedTotalMinor: 0n,
    },
    moment,
  ).reward;

test('a line is what is due less what was paid (D-PAY-2)', () => {
  const amount = cash().amountMinor ?? 0n;
  expect(amountDueOf(cash())).toBe(amount);
  expect(amountDueOf(pay(cash()))).toBe(0n);
  expect(amountDueOf(voided(cash()))).toBe(0n);
  expect(amountDueOf(voided(pay(cash())))).toBe(-amount);
  expect(amountDueOf(worth(pay(cash()), amount - 1n))).toBe(-1n);
});

test('a payment fulfills the Reward by the service, under the payout’s id (D-RWD-6)', () => {
  expect(pay(cash())).toMatchObject({
    fulfillmentStatus: 'fulfilled',
    fulfillment: { actor: 'service', externalReference: 'po_1' },
    providerReference: 'bank-1',
    deliveryReason: null,
  });
});

test('a release waits for the next payout, or cancels what is not owed any more', () => {
  const started = startPaying(cash(), NOW);
  expect(releaseLine(started, 'payout_failed', NOW)).toMatchObject({
    fulfillmentStatus: 'pending',
    deliveryReason: 'payout_failed',
  });
  expect(releaseLine(voided(started), 'payout_failed', NOW)).toMatchObject({
    fulfillmentStatus: 'cancelled',
    deliveryReason: 'voided',
  });
  expect(releaseLine(worth(started, 0n), null, NOW)).toMatchObject({
    fulfillmentStatus: 'cancelled',
    deliveryReason: 'refunded',
  });
});

test('a return leaves what stays paid fulfilled, owes the rest again, or cancels (D-RWD-3)', () => {
  const paid = pay(cash());
  const amount = paid.paidMinor;
  expect(returnLine(paid, amount, true, NOW)).toMatchObject({
    fulfillmentStatus: 'pending',
    fulfillment: null,
    deliveryReason: 'payout_returned',
  });
  expect(returnLine(voided(paid), amount, true, NOW).fulfillmentStatus).toBe('cancelled');
  const clawed = settleLine(voided(paid), -amount, by, moment);
  expect(clawed).toMatchObject({ fulfillmentStatus: 'fulfilled', paidMinor: 0n });
  const back = returnLine(clawed, amount, true, NOW);
  expect(back).toMatchObject({ fulfillmentStatus: 'fulfilled', paidMinor: -amount });
  expect(amountDueOf(back)).toBe(amount);
});

interface Model {
  readonly row: RewardRow;
  readonly payouts: readonly {
    readonly status: PayoutStatus;
    readonly amount: bigint;
    readonly line: LineState | null;
  }[];
}

type Step =
  | { readonly do: 'void' }
  | { readonly do: 'worth'; readonly share: number }
  | { readonly do: 'reserve' }
  | { readonly do: PayoutTrigger; readonly which: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant<Step>({ do: 'void' }),
  fc.nat(4).map((share): Step => ({ do: 'worth', share })),
  fc.constant<Step>({ do: 'reserve' }),
  fc.record({
    do: fc.constantFrom<PayoutTrigger[]>('approve', 'submit', 'pay', 'fail', 'return', 'cancel'),
    which: fc.nat(5),
  }),
);

const isOpen = (line: LineState | null) => line === 'reserved' || line === 'frozen';

/** Applies the steps of the operations to one reward, without stores. */
function run(model: Model, what: Step): Model {
  const { row, payouts } = model;
  switch (what.do) {
    case 'void':
      return row.void === null ? { ...model, row: voided(row) } : model;
    case 'worth':
      return { ...model, row: worth(row, ((row.amountMinor ?? 0n) * BigInt(what.share)) / 4n) };
    case 'reserve': {
      if (amountDueOf(row) === 0n || payouts.some(({ line }) => isOpen(line))) return model;
      const made = { status: 'draft', amount: amountDueOf(row), line: 'reserved' } as const;
      const reserved = reserveLine(row, `po_${payouts.length}`, NOW);
      return { row: reserved, payouts: [...payouts, made] };
    }
    default: {
      const at = payouts[what.which];
      const status = at && transition(at.status, what.do);
      if (!at || !status) return model;
      const moved = movePayout(row, { ...at, status }, what.do);
      return { row: moved.row, payouts: payouts.with(what.which, moved.payout) };
    }
  }
}

function movePayout(row: RewardRow, payout: Model['payouts'][number], trigger: PayoutTrigger) {
  const wasSettled = payout.line === 'settled';
  if (payout.line === null) return { row, payout };
  switch (trigger) {
    case 'approve': {
      const amount = amountDueOf(row);
      if (amount === 0n) {
        return { row: releaseLine(row, null, NOW), payout: { ...payout, amount, line: null } };
      }
      return { row: startPaying(row, NOW), payout: { ...payout, amount, line: 'frozen' as const } };
    }
    case 'submit':
      return { row, payout };
    case 'pay':
      return {
        row: settleLine(row, payout.amount, by, moment),
        payout: { ...payout, line: 'settled' as const },
      };
    case 'return':
      return {
        row: returnLine(row, payout.amount, wasSettled, NOW),
        payout: { ...payout, line: 'returned' as const },
      };
    case 'fail':
    case 'cancel':
      return {
        row: releaseLine(row, null, NOW),
        payout: { ...payout, line: 'released' as const },
      };
  }
}

test('in any order: paid lines sum up, nothing leaves the tables, and one more payout makes it even', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let model: Model = { row: cash(), payouts: [] };
      for (const one of steps) {
        model = run(model, one);
        const { row, payouts } = model;
        const settled = payouts.filter(({ line }) => line === 'settled');
        assert.equal(
          row.paidMinor,
          settled.reduce((sum, { amount }) => sum + amount, 0n),
        );
        const open = payouts.findIndex(({ line }) => isOpen(line));
        assert.equal(row.payoutId, open < 0 ? null : `po_${open}`);
        assert.ok(!['revocation_pending', 'revoked', 'failed'].includes(row.fulfillmentStatus));
        const { status, reason } = deliveryOf(row, NOW);
        assert.equal(row.deliveryStatus, status);
        assert.equal(row.deliveryReason, reason);
        if (row.fulfillmentStatus === 'pending') assert.ok(targetOf(row) > 0n);
        if (row.fulfillmentStatus === 'cancelled') assert.equal(targetOf(row), 0n);
        if (row.fulfillmentStatus === 'in_progress') {
          assert.ok(payouts.some(({ line }) => line === 'frozen'));
        }
        assert.equal(row.fulfillment !== null, row.fulfillmentStatus === 'fulfilled');
      }
      // Open lines are paid, then what is still due.
      const last = (which: number, ...triggers: PayoutTrigger[]) => {
        for (const trigger of triggers) model = run(model, { do: trigger, which });
      };
      for (const which of model.payouts.keys()) last(which, 'approve', 'submit', 'pay');
      model = run(model, { do: 'reserve' });
      last(model.payouts.length - 1, 'approve', 'submit', 'pay');
      assert.equal(model.row.paidMinor, targetOf(model.row));
    }),
    { numRuns: rounds(500, 2_000) },
  );
});
