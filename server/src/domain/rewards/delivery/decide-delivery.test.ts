import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aReward, EARNED_AT } from '../../../../test/reward-row.ts';
import { rounds } from '../../../../test/rounds.ts';
import { addMs, DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../../platform/kit/instant.ts';
import { applyRefund } from '../decide/apply-refund.ts';
import { voidReward } from '../decide/decide-void.ts';
import { endReview, holdForReview } from '../decide/review-reward.ts';
import { FULFILLMENT_STATUSES, type FulfillmentStatus } from '../decide/states.ts';
import { type RewardRow, targetOf, withDelivery } from '../reward.ts';
import {
  afterEarlierCall,
  type DeliveryContext,
  type DeliveryOutcome,
  type DeliveryRow,
  forgetErased,
  LOCKED_OUT_WAIT_MS,
  nextStep,
  prepareDelivery,
  settleDelivery,
  stepDueAt,
  TRIES_MAX,
  waitAfter,
} from './decide-delivery.ts';
import { decideRetry } from './decide-retry.ts';

const NOW = EARNED_AT;
const LATER = addMs(NOW, HOUR_MS);
const newId = (prefix: string) => `${prefix}_new`;
const moment = { now: NOW, realNow: NOW, newId };

const credit = (changes: Partial<RewardRow> = {}) =>
  aReward('credit', { method: 'stripe_balance', ...changes });
const coupon = (changes: Partial<RewardRow> = {}) =>
  aReward('discount', { method: 'stripe_coupon', ...changes });
const aVoid = {
  id: 'void',
  reasonCode: 'fraud' as const,
  reason: null,
  voidedAt: NOW,
};

const aDelivery = (changes: Partial<DeliveryRow> = {}): DeliveryRow => ({
  rewardId: 'rwd_new',
  participantId: 'par',
  method: 'stripe_balance',
  account: null,
  attempt: 1,
  tries: 0,
  dueAt: NOW,
  waitsForAccount: false,
  leaseId: 'lease',
  leasedUntil: LATER,
  intent: null,
  isAnswered: false,
  ...changes,
});
const there: DeliveryContext = {
  account: 'cus_ada',
  busyUntil: null,
  carriable: (amount) => amount,
};

/** A Reward in progress, and its delivery. */
function sent(row: RewardRow, delivery = aDelivery()) {
  const { reward, delivery: open } = prepareDelivery(row, delivery, there, moment);
  return { reward, open };
}

describe('what is due', () => {
  const AMOUNT = 1000n;
  const steps: Readonly<Record<FulfillmentStatus, readonly (string | null)[]>> = {
    // A credit of which nothing, all, or too much was delivered; a coupon.
    pending: ['grant', 'grant', 'grant', 'grant'],
    in_progress: [null, null, null, null],
    fulfilled: ['correct', null, 'correct', null],
    failed: [null, null, null, null],
    cancelled: [null, null, null, null],
    revocation_pending: ['take_back', 'take_back', 'take_back', 'take_back'],
    revoked: [null, null, null, null],
  };
  test.each(FULFILLMENT_STATUSES)('of one that is %s', (fulfillmentStatus) => {
    const rows = [
      credit({ fulfillmentStatus, paidMinor: 0n }),
      credit({ fulfillmentStatus, paidMinor: AMOUNT }),
      credit({ fulfillmentStatus, paidMinor: 1_001n }),
      coupon({ fulfillmentStatus }),
    ];
    expect(rows.map(nextStep)).toEqual(steps[fulfillmentStatus]);
    for (const method of ['operator', 'manual', 'payout'] as const) {
      expect(nextStep(credit({ fulfillmentStatus, method }))).toBeNull();
    }
  });

  test('a hold delays what was not given, and nothing else; an open dispute stops it', () => {
    expect(stepDueAt(credit({ availableAt: LATER }), NOW)).toBe(LATER);
    expect(stepDueAt(coupon({ isDisputed: true }), NOW)).toBeNull();
    const given = credit({ fulfillmentStatus: 'fulfilled', availableAt: LATER });
    expect(stepDueAt(given, NOW)).toBe(NOW);
    expect(stepDueAt(coupon({ isUnderReview: true }), NOW)).toBeNull();
    const held = credit({ availableAt: LATER });
    expect(prepareDelivery(held, aDelivery(), there, moment)).toMatchObject({
      reward: held,
      delivery: { intent: null, dueAt: LATER, leaseId: null },
    });
  });
});

describe('an intent', () => {
  test('says what goes where, and the Reward is on its way', () => {
    const { reward, open } = sent(credit());
    expect(reward).toMatchObject({
      fulfillmentStatus: 'in_progress',
      deliveryStatus: 'processing',
      deliveryReason: 'provider_pending',
    });
    expect(open).toMatchObject({
      account: 'cus_ada',
      attempt: 1,
      intent: { step: 'grant', amountMinor: 1000n, account: 'cus_ada', intendedAt: NOW },
    });
  });

  test('without an account there is none: it waits for one', () => {
    const around = { ...there, account: null };
    const { reward, delivery } = prepareDelivery(credit(), aDelivery(), around, moment);
    expect(reward).toMatchObject({
      fulfillmentStatus: 'pending',
      deliveryReason: 'awaiting_billing_account',
    });
    expect(delivery).toMatchObject({ intent: null, dueAt: null, waitsForAccount: true });
    // The second time there is nothing new to save.
    expect(prepareDelivery(reward, delivery, around, moment).reward).toBe(reward);
  });

  test('what changes at the provider by reading and writing back waits its turn', () => {
    const wait = (busyUntil: Instant) =>
      prepareDelivery(
        coupon(),
        aDelivery({ method: 'stripe_coupon' }),
        { ...there, busyUntil },
        moment,
      ).delivery;
    expect(wait(NOW)).toMatchObject({ intent: null, dueAt: addMs(NOW, 5_000) });
    // The delivery in progress is not checked before that, so neither is the waiting one.
    expect(wait(LATER)).toMatchObject({ intent: null, dueAt: LATER });
  });

  test('corrections and take-backs go where the Reward went, whatever the account is now', () => {
    const went = aDelivery({ account: 'cus_old', attempt: 2 });
    const refunded = credit({
      fulfillmentStatus: 'fulfilled',
      netAmountMinor: 400n,
      paidMinor: 1000n,
    });
    expect(sent(refunded, went)).toMatchObject({
      reward: refunded,
      open: { intent: { step: 'correct', amountMinor: -600n, account: 'cus_old' } },
    });
    const voided = credit({
      fulfillmentStatus: 'revocation_pending',
      void: aVoid,
      paidMinor: 1000n,
    });
    expect(sent(voided, went).open.intent).toMatchObject({
      step: 'take_back',
      amountMinor: -1000n,
      account: 'cus_old',
    });
  });

  test('of what is not known any more where it went, nothing can be changed', () => {
    const voided = coupon({ fulfillmentStatus: 'revocation_pending', void: aVoid });
    const { reward, delivery } = prepareDelivery(voided, aDelivery(), there, moment);
    expect(reward).toBe(voided);
    expect(delivery).toMatchObject({ intent: null, dueAt: null, waitsForAccount: false });
  });

  test('only what can be carried goes out, and a remainder is left alone', () => {
    const around = { ...there, carriable: (amount: bigint) => (amount / 10n) * 10n };
    const odd = credit({ amountMinor: 5124n, netAmountMinor: 5124n });
    const { delivery } = prepareDelivery(odd, aDelivery(), around, moment);
    expect(delivery.intent?.amountMinor).toBe(5120n);
    const given = { ...odd, fulfillmentStatus: 'fulfilled' as const, paidMinor: 5120n };
    const after = prepareDelivery(given, aDelivery({ account: 'cus_ada' }), around, moment);
    expect(after).toMatchObject({ reward: given, delivery: { intent: null, dueAt: null } });
    // An amount too small to be carried is sent to the provider unchanged, to be refused.
    const little = credit({ amountMinor: 9n, netAmountMinor: 9n });
    expect(prepareDelivery(little, aDelivery(), around, moment).delivery.intent?.amountMinor).toBe(
      9n,
    );
  });

  test('what cannot be carried is cut off what they should have, not off each step towards it', () => {
    const around = { ...there, carriable: (amount: bigint) => (amount / 10n) * 10n };
    const correct = (netAmountMinor: bigint, paidMinor: bigint) =>
      prepareDelivery(
        credit({ fulfillmentStatus: 'fulfilled', amountMinor: 5124n, netAmountMinor, paidMinor }),
        aDelivery({ account: 'cus_ada', attempt: 2 }),
        around,
        moment,
      ).delivery.intent?.amountMinor;
    // 5.120 was given for 5.124; then 5.119 is owed, then 5.124 again.
    expect(correct(5119n, 5120n)).toBe(-10n);
    expect(correct(5124n, 5110n)).toBe(10n);
    expect(correct(0n, 5120n)).toBe(-5120n);
  });

  test.each([
    ['is held', credit({ availableAt: LATER }), {}, { dueAt: LATER }],
    ['has failed', credit({ fulfillmentStatus: 'failed' }), {}, { dueAt: null }],
    ['has no account', credit(), { account: null }, { dueAt: null, waitsForAccount: true }],
    ['has to wait its turn', credit(), { busyUntil: LATER }, { dueAt: LATER }],
  ] as const)(
    'of one that %s, nothing goes out and nothing is taken back',
    (_, row, around, left) => {
      const { reward, delivery, isRevoked } = prepareDelivery(
        row,
        aDelivery({ waitsForAccount: true }),
        { ...there, ...around },
        moment,
      );
      expect([reward.fulfillmentStatus, isRevoked]).toEqual([row.fulfillmentStatus, false]);
      expect(delivery).toEqual(
        aDelivery({ leaseId: null, leasedUntil: null, waitsForAccount: false, ...left }),
      );
    },
  );

  test('one that goes out waits for no account any more, and is not taken back', () => {
    const waiting = aDelivery({ waitsForAccount: true });
    const { delivery, isRevoked } = prepareDelivery(credit(), waiting, there, moment);
    expect([delivery.waitsForAccount, isRevoked]).toEqual([false, false]);
  });

  test('what a refund took back whole is revoked without a call', () => {
    const row = credit({
      fulfillmentStatus: 'revocation_pending',
      void: aVoid,
      netAmountMinor: 0n,
    });
    const gone = prepareDelivery(row, aDelivery({ account: 'cus_ada' }), there, moment);
    expect(gone).toMatchObject({
      isRevoked: true,
      reward: { fulfillmentStatus: 'revoked', revocation: { actor: 'service' } },
      delivery: { intent: null, dueAt: null },
    });
  });
});

describe('what came of a call', () => {
  const delivered = { state: 'delivered', reference: 'cbtxn_1' } as const;
  const settle = (row: RewardRow, delivery: DeliveryRow, outcome: DeliveryOutcome) =>
    settleDelivery(row, delivery, outcome, { now: LATER, newId });

  test('delivered: fulfilled by the service, with a line; the next call has a key of its own', () => {
    const { reward, open } = sent(credit());
    expect(settle(reward, open, delivered)).toMatchObject({
      reward: {
        fulfillmentStatus: 'fulfilled',
        deliveryStatus: 'delivered',
        deliveryReason: null,
        providerReference: 'cbtxn_1',
        paidMinor: 1000n,
        fulfillment: { externalReference: 'cbtxn_1', occurredAt: LATER, actor: 'service' },
      },
      delivery: { attempt: 2, tries: 0, dueAt: null, intent: null, leaseId: null },
      line: { attempt: 1, step: 'grant', amountMinor: 1000n, reference: 'cbtxn_1' },
      news: 'reward.fulfilled',
      resends: false,
    });
  });

  test('nothing is known: the intent stays as it is, and is asked about later', () => {
    const { reward, open } = sent(credit());
    const asked = settle(reward, open, { state: 'unknown', isAnswered: true });
    expect(asked.reward).toBe(reward);
    expect(asked.delivery).toMatchObject({
      attempt: 1,
      tries: 1,
      intent: open.intent,
      isAnswered: true,
      leaseId: null,
      dueAt: addMs(LATER, waitAfter(1)),
    });
    const again = settle(reward, asked.delivery, { state: 'unknown', isAnswered: false });
    expect(again.delivery).toMatchObject({ tries: 2, isAnswered: true });
  });

  test('the provider knows of nothing: the same is sent again, under the same key', () => {
    const { reward, open } = sent(credit());
    const found = settle(reward, { ...open, tries: 3 }, { state: 'none' });
    expect(found).toMatchObject({ reward, resends: true, delivery: { attempt: 1, tries: 4 } });
    expect(found.delivery.intent).toBe(open.intent);
  });

  test(`the provider knows of nothing after ${TRIES_MAX} tries: it is not sent again`, () => {
    const { reward, open } = sent(credit());
    const found = settle(reward, { ...open, tries: TRIES_MAX }, { state: 'none' });
    expect(found).toMatchObject({ resends: false, reward: { fulfillmentStatus: 'failed' } });
  });

  test('the provider knows of no correction: the same is sent again', () => {
    const row = credit({ fulfillmentStatus: 'fulfilled', netAmountMinor: 0n, paidMinor: 1000n });
    const { open } = sent(row, aDelivery({ account: 'cus_ada' }));
    expect(settle(row, open, { state: 'none' })).toMatchObject({ reward: row, resends: true });
  });

  test('it had answered, with a fault of its own, and did nothing: a new key, after a wait', () => {
    const { reward, open } = sent(credit());
    const found = settle(reward, { ...open, tries: 1, isAnswered: true }, { state: 'none' });
    expect(found).toMatchObject({
      resends: false,
      reward: { fulfillmentStatus: 'pending', deliveryReason: 'provider_error' },
      delivery: {
        attempt: 2,
        tries: 2,
        intent: null,
        isAnswered: false,
        dueAt: addMs(LATER, waitAfter(2)),
      },
    });
  });

  test(`certainly not done: it waits again, and after ${TRIES_MAX} tries it has failed`, () => {
    let row = credit();
    let delivery = aDelivery();
    for (let tries = 1; tries < TRIES_MAX; tries += 1) {
      const { reward, open } = sent(row, delivery);
      const failed = settle(reward, open, { state: 'retry' });
      expect(failed).toMatchObject({
        reward: {
          fulfillmentStatus: 'pending',
          deliveryStatus: 'pending',
          deliveryReason: 'provider_error',
        },
        delivery: { attempt: tries + 1, tries, dueAt: addMs(LATER, waitAfter(tries)) },
      });
      row = failed.reward;
      delivery = failed.delivery;
    }
    const { reward, open } = sent(row, delivery);
    expect(settle(reward, open, { state: 'retry' })).toMatchObject({
      reward: { fulfillmentStatus: 'failed', deliveryReason: 'provider_error' },
      delivery: { attempt: TRIES_MAX + 1, tries: 0, dueAt: null, intent: null },
    });
  });

  test('refused: failed at once', () => {
    const { reward, open } = sent(coupon());
    expect(settle(reward, open, { state: 'refused' })).toMatchObject({
      reward: { fulfillmentStatus: 'failed', deliveryReason: 'provider_rejected' },
      delivery: { attempt: 2, tries: 0, dueAt: null },
    });
  });

  test.each([
    ['refused', { state: 'refused' }],
    ['to be tried again', { state: 'retry' }],
    ['unknown to the provider', { state: 'none' }],
  ] as const)('voided on its way, and %s: cancelled, and not sent', (_, outcome) => {
    const { reward, open } = sent(coupon());
    const voided = voidReward(reward, { reasonCode: 'fraud', reason: null }, NOW, newId);
    expect(voided.fulfillmentStatus).toBe('in_progress');
    expect(settle(voided, open, outcome)).toMatchObject({
      reward: { fulfillmentStatus: 'cancelled', deliveryReason: 'voided' },
      delivery: { attempt: 2, dueAt: null, intent: null },
      resends: false,
      news: null,
    });
  });

  test('voided on its way, and delivered: it is to be taken back, at once', () => {
    const { reward, open } = sent(coupon());
    const voided = voidReward(reward, { reasonCode: 'fraud', reason: null }, NOW, newId);
    const done = settle(voided, open, delivered);
    expect(done).toMatchObject({
      reward: { fulfillmentStatus: 'revocation_pending' },
      delivery: { dueAt: LATER },
      news: 'reward.fulfilled',
    });
    const { open: back } = sent(done.reward, done.delivery);
    expect(back).toMatchObject({ attempt: 2, intent: { step: 'take_back' } });
    expect(settle(done.reward, back, delivered)).toMatchObject({
      reward: { fulfillmentStatus: 'revoked', revocation: { actor: 'service' } },
      news: 'reward.revoked',
      delivery: { dueAt: null },
    });
  });

  test('refunded on its way, and delivered: what was too much goes back', () => {
    const { reward, open } = sent(credit());
    const refunded = withDelivery({ ...reward, netAmountMinor: 0n }, NOW);
    const done = settle(refunded, open, delivered);
    expect(done).toMatchObject({
      reward: { fulfillmentStatus: 'fulfilled' },
      delivery: { dueAt: LATER },
    });
    expect(sent(done.reward, done.delivery).open.intent).toMatchObject({
      step: 'correct',
      amountMinor: -1000n,
    });
  });

  test('during a review what is owed is not added, and what is not owed is taken back', () => {
    const given = { fulfillmentStatus: 'fulfilled', isUnderReview: true } as const;
    expect(nextStep(credit({ ...given, paidMinor: 999n }))).toBeNull();
    expect(nextStep(credit({ ...given, paidMinor: 1_001n }))).toBe('correct');
    expect(nextStep(credit({ ...given, fulfillmentStatus: 'revocation_pending' }))).toBe(
      'take_back',
    );
  });

  test('under review on its way, and not done: held until the decision', () => {
    const { reward, open } = sent(coupon());
    for (const state of ['retry', 'none'] as const) {
      const failed = settle(holdForReview(reward, NOW), open, { state });
      expect(failed).toMatchObject({
        reward: { fulfillmentStatus: 'pending', deliveryReason: 'risk_review' },
        delivery: { dueAt: null },
        resends: false,
      });
      expect(nextStep(endReview(failed.reward, false, moment))).toBe('grant');
    }
  });

  test('disputed on its way, and not done: held until the dispute ends', () => {
    const { reward, open } = sent(coupon());
    for (const state of ['retry', 'none'] as const) {
      const failed = settle({ ...reward, isDisputed: true }, open, { state });
      expect(failed).toMatchObject({
        reward: {
          fulfillmentStatus: 'pending',
          deliveryStatus: 'on_hold',
          deliveryReason: 'dispute_open',
        },
        delivery: { dueAt: null },
      });
    }
  });

  test.each(['retry', 'refused'] as const)('a correction that is %s never fails it', (state) => {
    const row = credit({ fulfillmentStatus: 'fulfilled', netAmountMinor: 0n, paidMinor: 1000n });
    const { open } = sent(row, aDelivery({ account: 'cus_ada', attempt: 4, tries: 20 }));
    const failed = settle(row, open, { state });
    const deliveryReason = state === 'retry' ? 'provider_error' : 'provider_rejected';
    expect(failed).toMatchObject({
      // An operator has to see that it is not getting done.
      reward: { ...row, deliveryReason, updatedAt: LATER },
      delivery: { attempt: 5, intent: null, dueAt: addMs(LATER, DAY_MS) },
    });
    const { open: again } = sent(failed.reward, failed.delivery);
    expect(settle(failed.reward, again, delivered).reward.deliveryReason).toBeNull();
    // The failure no longer matters once there is nothing to correct.
    const even = { ...failed.reward, netAmountMinor: failed.reward.paidMinor };
    expect(withDelivery(even, LATER).deliveryReason).toBeNull();
  });

  test('not let in: it waits, however long, and that is no try', () => {
    const { reward, open } = sent(credit(), aDelivery({ tries: TRIES_MAX - 1 }));
    expect(settle(reward, open, { state: 'locked_out' })).toMatchObject({
      reward: { fulfillmentStatus: 'pending', deliveryReason: 'provider_error' },
      delivery: { tries: TRIES_MAX - 1, intent: null, dueAt: addMs(LATER, LOCKED_OUT_WAIT_MS) },
    });
    const nobodyAsked = afterEarlierCall({ state: 'locked_out' });
    expect(settle(reward, open, nobodyAsked)).toMatchObject({
      reward,
      delivery: { tries: TRIES_MAX - 1, attempt: 1, dueAt: addMs(LATER, LOCKED_OUT_WAIT_MS) },
    });
  });

  test.each(['retry', 'refused'] as const)(
    '%s of a second call says nothing of the first',
    (state) => {
      const { reward, open } = sent(credit());
      const after = settle(reward, open, afterEarlierCall({ state }));
      expect(after).toMatchObject({ reward, delivery: { attempt: 1, isAnswered: false } });
      expect(after.delivery.intent).toBe(open.intent);
      expect(afterEarlierCall(delivered)).toBe(delivered);
    },
  );

  test('where somebody who is erased was known is forgotten once nothing is to be done there', () => {
    const gone = new Set(['par']);
    const settled = aDelivery({ account: 'cus_ada', dueAt: null });
    expect(forgetErased(settled, gone).account).toBeNull();
    expect(forgetErased(settled, new Set()).account).toBe('cus_ada');
    const due = { ...settled, dueAt: NOW };
    expect(forgetErased(due, gone, { state: 'retry' })).toBe(due);
    expect(forgetErased(due, gone, { state: 'refused' })).toMatchObject({
      account: null,
      dueAt: null,
    });
    const { open } = sent(credit());
    expect(forgetErased(open, gone)).toBe(open);
  });

  test('waits double from a minute to an hour', () => {
    expect([0, 1, 2, 3, 6, 7, 100].map(waitAfter)).toEqual(
      [1, 1, 2, 4, 32, 60, 60].map((minutes) => minutes * MINUTE_MS),
    );
  });
});

describe('in whatever order things happen', () => {
  /** What the provider has done, by key: it acts once per key. */
  type Ledger = Map<number, bigint>;
  interface World {
    row: RewardRow;
    delivery: DeliveryRow;
    ledger: Ledger;
    /** Requests that have not reached the provider yet, by key. */
    late: Ledger;
    lines: bigint[];
    now: Instant;
  }
  const terms = { refundPolicy: 'proportional', roundingPolicy: 'half_up' } as const;
  const PURCHASE = 10_000n;

  function change(world: World, row: RewardRow): void {
    world.row = row;
    if (world.delivery.intent === null) {
      world.delivery = { ...world.delivery, dueAt: stepDueAt(row, world.now) };
    }
  }

  function prepare(world: World): void {
    const { row, delivery, now } = world;
    if (delivery.intent || delivery.dueAt === null || delivery.dueAt > now) return;
    const prepared = prepareDelivery(row, delivery, there, { now, realNow: now, newId });
    world.row = prepared.reward;
    world.delivery = prepared.delivery;
  }

  function settle(world: World, outcome: DeliveryOutcome): boolean {
    const { delivery, now } = world;
    const settled = settleDelivery(world.row, delivery, outcome, { now, newId });
    if (settled.line) world.lines.push(settled.line.amountMinor);
    world.row = settled.reward;
    world.delivery = settled.delivery;
    return settled.resends;
  }

  function work(world: World): void {
    const { intent, attempt } = world.delivery;
    if (intent && !world.ledger.has(attempt)) world.ledger.set(attempt, intent.amountMinor);
  }

  function land({ ledger, late }: World): void {
    for (const [attempt, amountMinor] of late) {
      if (!ledger.has(attempt)) ledger.set(attempt, amountMinor);
    }
    late.clear();
  }

  function ask(world: World): DeliveryOutcome {
    const { row, delivery, ledger } = world;
    const { attempt, intent, tries } = delivery;
    const isHeld = row.isDisputed || row.isUnderReview;
    const isUnwanted = row.void !== null || isHeld || row.netAmountMinor === 0n;
    // No request arrives after everybody has given up.
    if (tries >= TRIES_MAX || (intent?.step === 'grant' && isUnwanted)) land(world);
    return ledger.has(attempt)
      ? { state: 'delivered', reference: `done_${attempt}` }
      : { state: 'none' };
  }

  const events: Readonly<Record<string, (world: World, share: number) => void>> = {
    refund(world, share) {
      const refundedTotalMinor = (PURCHASE * BigInt(share)) / 4n;
      const standing = { amountMinor: PURCHASE, refundedTotalMinor, disputedTotalMinor: 0n };
      change(world, applyRefund(world.row, terms, standing, { now: world.now, newId }).reward);
    },
    dispute(world, share) {
      const disputedTotalMinor = (PURCHASE * BigInt(share)) / 4n;
      const standing = {
        amountMinor: PURCHASE,
        refundedTotalMinor: disputedTotalMinor,
        disputedTotalMinor,
      };
      change(world, applyRefund(world.row, terms, standing, { now: world.now, newId }).reward);
    },
    void(world) {
      if (world.row.void !== null) return;
      const why = { reasonCode: 'fraud', reason: null } as const;
      change(world, voidReward(world.row, why, world.now, newId));
    },
    hold(world) {
      change(world, holdForReview(world.row, world.now));
    },
    endReview(world, share) {
      change(world, endReview(world.row, share === 0, { now: world.now, newId }));
    },
    retry(world) {
      const decision = decideRetry(world.row, false, world.now);
      if ('reward' in decision && decision.reward !== world.row) change(world, decision.reward);
    },
    pass(world, share) {
      world.now = addMs(world.now, share * HOUR_MS);
    },
    prepare,
    deliver(world) {
      if (!world.delivery.intent) return;
      work(world);
      settle(world, ask(world));
    },
    // It may have been done or not; no response arrives.
    lose(world, share) {
      if (!world.delivery.intent) return;
      if (share > 2) work(world);
      const isAnswered = share % 2 === 0;
      // The first response to a key is returned for every request with it.
      if (isAnswered) world.late.delete(world.delivery.attempt);
      settle(world, { state: 'unknown', isAnswered });
    },
    delay(world) {
      const { intent, attempt, isAnswered } = world.delivery;
      if (!intent) return;
      if (!isAnswered) world.late.set(attempt, intent.amountMinor);
      settle(world, { state: 'unknown', isAnswered: false });
    },
    land,
    // A request in progress may already have been done: then the provider would not respond like
    // this.
    throttle(world) {
      const { intent, attempt } = world.delivery;
      if (intent && isFirst(world, attempt)) settle(world, { state: 'retry' });
    },
    lockOut(world) {
      const { intent, attempt } = world.delivery;
      if (intent && isFirst(world, attempt)) settle(world, { state: 'locked_out' });
    },
    reject(world) {
      const { intent, attempt } = world.delivery;
      if (intent && isFirst(world, attempt)) settle(world, { state: 'refused' });
    },
    find(world, share) {
      if (!world.delivery.intent) return;
      if (!settle(world, ask(world))) return;
      const second = (['delivered', 'retry', 'refused', 'locked_out', 'delayed'] as const)[share];
      if (second === 'delivered') events.deliver?.(world, 0);
      else if (second === 'delayed') events.delay?.(world, 0);
      else if (second) settle(world, afterEarlierCall({ state: second }));
    },
  };

  function isFirst({ ledger, late }: World, attempt: number): boolean {
    return !ledger.has(attempt) && !late.has(attempt);
  }

  const step = fc.tuple(fc.constantFrom(...Object.keys(events)), fc.integer({ min: 0, max: 4 }));

  test('nothing is done twice, and once all is quiet the provider has what is owed', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('credit', 'coupon'),
        fc.array(step, { maxLength: 40 }),
        (kind, steps) => {
          const row = kind === 'credit' ? credit() : coupon();
          const world: World = {
            row,
            delivery: aDelivery({ leaseId: null, leasedUntil: null }),
            ledger: new Map(),
            late: new Map(),
            lines: [],
            now: NOW,
          };
          const check = () => {
            const total = world.lines.reduce((sum, line) => sum + line, 0n);
            assert.equal(world.row.paidMinor, total);
            assert.equal(
              world.row.fulfillmentStatus === 'in_progress',
              world.delivery.intent?.step === 'grant',
            );
          };
          for (const [name, share] of steps) {
            events[name]?.(world, share);
            check();
          }
          events.endReview?.(world, 1);
          // Everything works from now on; each round lets waiting deliveries become due.
          for (let round = 0; round < 8; round += 1) {
            world.now = addMs(world.now, 2 * DAY_MS);
            if (world.delivery.intent) events.find?.(world, 0);
            prepare(world);
            if (world.delivery.intent) events.deliver?.(world, 0);
            check();
          }
          land(world);
          const { fulfillmentStatus: status } = world.row;
          assert.equal(world.delivery.intent, null);
          assert.equal(world.delivery.dueAt, null);
          assert.ok(status !== 'in_progress' && status !== 'revocation_pending', status);
          const atProvider = [...world.ledger.values()].reduce((sum, amount) => sum + amount, 0n);
          const isGiven = status === 'fulfilled';
          if (kind === 'credit') assert.equal(atProvider, isGiven ? targetOf(world.row) : 0n);
          else assert.equal(world.ledger.size, isGiven ? 1 : status === 'revoked' ? 2 : 0);
          if (status === 'pending') assert.ok(world.row.isDisputed);
        },
      ),
      { numRuns: rounds(500, 2_000) },
    );
  });
});

describe('a take-back that a restoration outruns (D-RWD-11)', () => {
  const TERMS = { refundPolicy: 'proportional', roundingPolicy: 'half_up' } as const;
  const standing = (refundedTotalMinor: bigint) => ({
    amountMinor: 10n,
    refundedTotalMinor,
    disputedTotalMinor: 0n,
  });
  const record = { id: 'ful', externalReference: 'x', occurredAt: NOW, actor: 'service' as const };
  /** A coupon that was given and refunded, is being taken back, and is owed again meanwhile. */
  const restored = () => {
    const given = coupon({ fulfillmentStatus: 'fulfilled', fulfillment: record });
    const lost = applyRefund(given, TERMS, standing(10n), { now: NOW, newId }).reward;
    const delivery = aDelivery({ method: 'stripe_coupon', account: 'cus_ada', attempt: 2 });
    const { reward, open } = sent(lost, delivery);
    expect(open.intent).toMatchObject({ step: 'take_back' });
    return { row: applyRefund(reward, TERMS, standing(0n), { now: NOW, newId }).reward, open };
  };

  test('and that was carried out gives it once more', () => {
    const { row, open } = restored();
    const settled = settleDelivery(row, open, { state: 'delivered', reference: 'taken' }, moment);
    expect(settled).toMatchObject({
      reward: { fulfillmentStatus: 'pending', fulfillment: null, void: null },
      delivery: { attempt: 3, dueAt: NOW },
      news: null,
    });
    expect(nextStep(settled.reward)).toBe('grant');
  });

  test('and that the provider knows nothing of is not sent again', () => {
    const { row, open } = restored();
    const settled = settleDelivery(row, open, { state: 'none' }, moment);
    expect(settled).toMatchObject({
      reward: { fulfillmentStatus: 'fulfilled', deliveryReason: null },
      delivery: { intent: null, dueAt: null },
      resends: false,
    });
  });

  test('and that was carried out in part is finished, so that it can be given once more', () => {
    const { row, open } = restored();
    const asked = settleDelivery(row, { ...open, isAnswered: true }, { state: 'begun' }, moment);
    expect(asked).toMatchObject({ reward: row, resends: true, delivery: { attempt: 2, tries: 1 } });
    expect(asked.delivery.intent).toBe(open.intent);
    const done = { state: 'delivered', reference: 'taken' } as const;
    const settled = settleDelivery(row, asked.delivery, done, moment);
    expect(settled.reward).toMatchObject({ fulfillmentStatus: 'pending', fulfillment: null });
    expect(nextStep(settled.reward)).toBe('grant');
  });

  test('and that cannot be finished is never forgotten: it is tried again later', () => {
    const { row, open } = restored();
    const stuck = settleDelivery(row, { ...open, tries: 9 }, { state: 'begun' }, moment);
    expect(stuck).toMatchObject({
      resends: false,
      delivery: { tries: 0, leaseId: null, dueAt: addMs(NOW, HOUR_MS) },
    });
    expect(stuck.delivery.intent).toBe(open.intent);
    expect(settleDelivery(row, stuck.delivery, { state: 'begun' }, moment).resends).toBe(true);
  });
});
