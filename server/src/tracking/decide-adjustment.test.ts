import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NewId } from '../kit/ids.ts';
import { addMs } from '../kit/instant.ts';
import { smallerOf } from '../kit/money.ts';
import { REFUND_POLICIES, ROUNDING_POLICIES } from '../programs/benefit-words.ts';
import { applyRefund } from '../rewards/apply-refund.ts';
import type { RewardRow } from '../rewards/reward.ts';
import { stands } from '../rewards/stands.ts';
import { FULFILLMENT_STATUSES } from '../rewards/states.ts';
import { type Balance, decideAdjustment, type Undone } from './decide-adjustment.ts';

const NOW = '2026-11-15T09:30:00.000Z';
let made = 0;
const newId: NewId = (prefix) => {
  made += 1;
  return `${prefix}_${made}`;
};

function reward(more: Partial<RewardRow>): RewardRow {
  return {
    id: 'rwd_1',
    projectId: 'prj_1',
    number: 1,
    programId: 'prg_1',
    ruleId: 'rul_1',
    termsVersionId: 'trm_1',
    eventId: 'evt_1',
    referralId: 'ref_1',
    purchaseId: 'pur_1',
    signupPersonId: null,
    beneficiaryRole: 'referrer',
    beneficiaryParticipantId: 'par_1',
    benefitKind: 'cash',
    amountMinor: null,
    netAmountMinor: null,
    currency: null,
    currencyExponent: null,
    rateBps: null,
    durationMode: null,
    durationMonths: null,
    quantity: null,
    unitId: null,
    validityDays: null,
    plan: null,
    periods: null,
    method: 'operator',
    earnedAt: NOW,
    availableAt: NOW,
    fulfillmentStatus: 'pending',
    deliveryStatus: 'pending',
    deliveryReason: 'awaiting_operator',
    providerReference: null,
    isDisputed: false,
    paidMinor: 0n,
    payoutId: null,
    fulfillment: null,
    revocation: null,
    void: null,
    arithmetic: { base: null, rateBps: null, rounding: null, result: '0' },
    createdAt: NOW,
    updatedAt: NOW,
    ...more,
  };
}

const money = (amountMinor: bigint, more: Partial<RewardRow> = {}) =>
  reward({
    amountMinor,
    netAmountMinor: amountMinor,
    currency: 'USD',
    currencyExponent: 2,
    ...more,
  });
const custom = (more: Partial<RewardRow> = {}) =>
  reward({ benefitKind: 'custom', quantity: 5, unitId: 'unit_1', ...more });

/** Refunds, disputes and restorations of what there is, as callers may send them in any order. */
const step = fc.record({
  kind: fc.constantFrom('refund', 'dispute', 'restoration'),
  amount: fc.bigInt({ min: 1n, max: 1_200n }),
  target: fc.nat(20),
});

interface Past extends Undone {
  readonly id: number;
}

/** Runs steps on a purchase, and tells after each that was accepted how it stands. */
function* run(
  amountMinor: bigint,
  steps: readonly { kind: string; amount: bigint; target: number }[],
) {
  let balance: Balance = { amountMinor, refundedMinor: 0n, disputedMinor: 0n };
  const past: Past[] = [];
  for (const { kind, amount, target } of steps) {
    const undone = kind === 'restoration' ? past[target % Math.max(past.length, 1)] : null;
    if (undone === undefined) continue;
    const decision = decideAdjustment(balance, kind as Undone['kind'], amount, undone);
    if ('refused' in decision) continue;
    balance = { ...balance, ...decision };
    if (undone) past[undone.id] = { ...undone, restoredMinor: undone.restoredMinor + amount };
    else {
      const { appliedMinor } = decision;
      const added = { kind: kind as Undone['kind'], amountMinor: amount, appliedMinor };
      past.push({ id: past.length, ...added, restoredMinor: 0n });
    }
    yield { balance, past };
  }
}

const toStanding = ({ amountMinor, refundedMinor, disputedMinor }: Balance) => ({
  amountMinor,
  refundedTotalMinor: refundedMinor,
  disputedTotalMinor: disputedMinor,
});

test('a purchase never has more taken than it was worth, nor more disputed than taken', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      for (const { balance, past } of run(1_000n, steps)) {
        expect(balance.refundedMinor >= 0n && balance.refundedMinor <= 1_000n).toBe(true);
        expect(balance.disputedMinor >= 0n).toBe(true);
        expect(balance.disputedMinor <= balance.refundedMinor).toBe(true);
        const open = past.reduce((sum, one) => {
          return sum + one.appliedMinor - smallerOf(one.restoredMinor, one.appliedMinor);
        }, 0n);
        expect(balance.refundedMinor).toBe(open);
      }
    }),
  );
});

test('whatever is refunded, disputed and restored, net = amount + adjustments, and restoring all gives all back', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 40 }),
      fc.bigInt({ min: 1n, max: 5_000n }),
      fc.constantFrom(...REFUND_POLICIES),
      fc.constantFrom(...ROUNDING_POLICIES),
      fc.constantFrom(...FULFILLMENT_STATUSES),
      (steps, amount, refundPolicy, roundingPolicy, fulfillmentStatus) => {
        const terms = { refundPolicy, roundingPolicy };
        let row = money(amount, { fulfillmentStatus });
        let sum = 0n;
        let last: { balance: Balance; past: Past[] } | undefined;
        const apply = (balance: Balance) => {
          const effect = applyRefund(row, terms, toStanding(balance), NOW, newId);
          sum += effect.adjustment?.signedAmountMinor ?? 0n;
          row = effect.reward;
          expect(row.netAmountMinor).toBe(amount + sum);
          expect((row.netAmountMinor as bigint) >= 0n).toBe(true);
          expect((row.netAmountMinor as bigint) <= amount).toBe(true);
          if (refundPolicy !== 'none' && balance.refundedMinor === 1_000n) {
            expect(row.netAmountMinor).toBe(0n);
          }
          const isOpen = row.fulfillmentStatus === 'pending' || row.fulfillmentStatus === 'failed';
          if (isOpen && refundPolicy !== 'none') expect(stands(row)).toBe(true);
        };
        for (const state of run(1_000n, steps)) {
          last = state;
          apply(state.balance);
        }
        let balance = last?.balance ?? {
          amountMinor: 1_000n,
          refundedMinor: 0n,
          disputedMinor: 0n,
        };
        for (const one of last?.past ?? []) {
          const left = one.amountMinor - one.restoredMinor;
          if (left === 0n) continue;
          const decision = decideAdjustment(balance, 'restoration', left, one);
          if ('refused' in decision) throw decision.refused;
          balance = { ...balance, ...decision };
          apply(balance);
        }
        expect(balance.refundedMinor).toBe(0n);
        expect(row.netAmountMinor).toBe(amount);
      },
    ),
  );
});

test('a Reward is left untouched, and not merely equal, when nothing follows for it', () => {
  const row = money(100n);
  const standing = { amountMinor: 1_000n, refundedTotalMinor: 0n, disputedTotalMinor: 0n };
  const terms = { refundPolicy: 'proportional', roundingPolicy: 'half_up' } as const;
  expect(applyRefund(row, terms, standing, NOW, newId).reward).toBe(row);
});

test.each([
  ['pending', 'cancelled'],
  ['failed', 'cancelled'],
  ['in_progress', 'in_progress'],
  ['fulfilled', 'revocation_pending'],
] as const)('a full refund of what gave units voids a %s one: %s', (from, to) => {
  const row = custom({ fulfillmentStatus: from });
  const standing = { amountMinor: 10n, refundedTotalMinor: 10n, disputedTotalMinor: 0n };
  const terms = { refundPolicy: 'proportional', roundingPolicy: 'half_up' } as const;
  const later = addMs(NOW, 1);
  const { reward: after } = applyRefund(row, terms, standing, later, newId);
  expect(after).toMatchObject({
    fulfillmentStatus: to,
    void: { reasonCode: 'refund', voidedAt: later },
    updatedAt: later,
  });
  expect(applyRefund(after, terms, standing, later, newId).reward).toBe(after);
});

test('a dispute of everything holds units that were not granted, and voids nothing', () => {
  const standing = { amountMinor: 10n, refundedTotalMinor: 10n, disputedTotalMinor: 10n };
  for (const refundPolicy of ['proportional', 'full'] as const) {
    const terms = { refundPolicy, roundingPolicy: 'half_up' } as const;
    const held = applyRefund(custom(), terms, standing, NOW, newId).reward;
    expect(held).toMatchObject({
      deliveryStatus: 'on_hold',
      deliveryReason: 'dispute_open',
      void: null,
    });
    const granted = custom({ fulfillmentStatus: 'fulfilled' });
    expect(applyRefund(granted, terms, standing, NOW, newId).reward).toBe(granted);
    // What is on its way may come to wait again, and is held then.
    for (const fulfillmentStatus of ['in_progress', 'failed'] as const) {
      const sent = applyRefund(custom({ fulfillmentStatus }), terms, standing, NOW, newId).reward;
      expect(sent).toMatchObject({ fulfillmentStatus, isDisputed: true });
      const won = { amountMinor: 10n, refundedTotalMinor: 0n, disputedTotalMinor: 0n };
      expect(applyRefund(sent, terms, won, NOW, newId).reward.isDisputed).toBe(false);
    }
  }
});
