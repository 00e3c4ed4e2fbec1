import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../../test/rounds.ts';
import type { NewId } from '../../../platform/kit/ids.ts';
import { addMs } from '../../../platform/kit/instant.ts';
import { smallerOf } from '../../../platform/kit/money.ts';
import { REFUND_POLICIES, ROUNDING_POLICIES } from '../../programs/rules/benefit-words.ts';
import { applyRefund } from '../../rewards/decide/apply-refund.ts';
import { FULFILLMENT_STATUSES } from '../../rewards/decide/states.ts';
import { countsAsGiven, type RewardRow } from '../../rewards/reward.ts';
import { decideAdjustment } from './decide-adjustment.ts';
import {
  type AdjustmentStep,
  FIRST_RULE,
  RULE,
  restoredOf,
  type Standing,
  standingOf,
} from './purchase-standing.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const REFUSED = 'adjustment_exceeds_purchase';
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
    milestone: null,
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
    isUnderReview: false,
    answeredEventId: null,
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

/** What callers may send, in any order, at any time, about anything that exists. */
const step = fc.record({
  kind: fc.constantFrom('refund', 'dispute', 'dispute_lost', 'restoration'),
  amount: fc.bigInt({ min: 1n, max: 1_200n }),
  target: fc.nat(20),
  at: fc.nat(3),
});
type Sent = Static<typeof step>;
type Static<T> = T extends fc.Arbitrary<infer U> ? U : never;

const AMOUNT = 1_000n;
const NOTHING: Standing = {
  refundedMinor: 0n,
  disputedMinor: 0n,
  refundsMinor: 0n,
  lostBeforeMinor: 0n,
};

function toStep(past: readonly AdjustmentStep[], sent: Sent): AdjustmentStep {
  const target = past[sent.target % Math.max(past.length, 1)]?.id ?? 'none';
  const isLoss = sent.kind === 'dispute_lost';
  return {
    id: `padj_${past.length + 1}`,
    number: past.length + 1,
    kind: sent.kind as AdjustmentStep['kind'],
    amountMinor: isLoss ? null : sent.amount,
    appliedMinor: 0n,
    restoresId: sent.kind === 'restoration' ? target : null,
    closesId: isLoss ? target : null,
    occurredAt: addMs(NOW, sent.at),
    rule: RULE,
  };
}

/** Runs steps on a purchase and yields its state after each accepted one. */
function* run(steps: readonly Sent[]) {
  const past: AdjustmentStep[] = [];
  for (const sent of steps) {
    const next = toStep(past, sent);
    const decision = decideAdjustment(AMOUNT, past, next);
    if ('refused' in decision) continue;
    past.push({ ...next, appliedMinor: decision.appliedMinor });
    yield { decision, past, next };
  }
}

/** Wins every dispute that was not lost, and lets every refund fail. */
function restoreAll(past: readonly AdjustmentStep[]): AdjustmentStep[] {
  const all = [...past];
  const lost = new Set(past.map(({ closesId }) => closesId));
  for (const one of past) {
    const open = (one.amountMinor ?? 0n) - (restoredOf(all).get(one.id) ?? 0n);
    const canBe = one.kind === 'refund' || (one.kind === 'dispute' && !lost.has(one.id));
    if (!canBe || open === 0n) continue;
    const next: AdjustmentStep = {
      ...one,
      id: `padj_${all.length + 1}`,
      number: all.length + 1,
      kind: 'restoration',
      amountMinor: open,
      restoresId: one.id,
      occurredAt: addMs(NOW, 9),
    };
    const decision = decideAdjustment(AMOUNT, all, next);
    if ('refused' in decision) throw decision.refused;
    all.push({ ...next, appliedMinor: decision.appliedMinor });
  }
  return all;
}

const toStanding = ({
  refundedMinor,
  disputedMinor,
}: Pick<Standing, 'refundedMinor' | 'disputedMinor'>) => ({
  amountMinor: AMOUNT,
  refundedTotalMinor: refundedMinor,
  disputedTotalMinor: disputedMinor,
});

test('a purchase never has more taken than it was worth, nor more disputed than taken', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let takenMinor = 0n;
      for (const { decision, next } of run(steps)) {
        const { refundedMinor, disputedMinor, appliedMinor } = decision;
        assert.ok(refundedMinor >= 0n && refundedMinor <= AMOUNT);
        assert.ok(disputedMinor >= 0n && disputedMinor <= refundedMinor);
        takenMinor += next.kind === 'restoration' ? -appliedMinor : appliedMinor;
        assert.equal(refundedMinor, takenMinor);
      }
    }),
    { numRuns: rounds(500, 2_000) },
  );
});

test('with one dispute, each step takes or gives back at most what it says', () => {
  const first = step.map((one) => ({ ...one, kind: 'dispute' as const }));
  const others = step.filter(({ kind }) => kind !== 'dispute');
  fc.assert(
    fc.property(first, fc.array(others, { maxLength: 20 }), fc.nat(20), (dispute, rest, at) => {
      for (const { decision, next } of run(rest.toSpliced(at, 0, dispute))) {
        assert.ok(decision.appliedMinor >= 0n);
        if (next.amountMinor === null) continue;
        assert.ok(decision.appliedMinor <= next.amountMinor);
      }
    }),
    { numRuns: rounds(500, 2_000) },
  );
});

test('whatever is refunded, disputed, lost and restored, net = amount + adjustments, and restoring all gives all back', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 40 }),
      fc.bigInt({ min: 1n, max: 5_000n }),
      fc.record({
        refundPolicy: fc.constantFrom(...REFUND_POLICIES),
        roundingPolicy: fc.constantFrom(...ROUNDING_POLICIES),
      }),
      fc.constantFrom(...FULFILLMENT_STATUSES),
      (steps, amount, terms, fulfillmentStatus) => {
        const { refundPolicy } = terms;
        let row = money(amount, { fulfillmentStatus });
        let sum = 0n;
        let last: readonly AdjustmentStep[] = [];
        const apply = (standing: Pick<Standing, 'refundedMinor' | 'disputedMinor'>) => {
          const effect = applyRefund(row, terms, toStanding(standing), { now: NOW, newId });
          sum += effect.adjustment?.signedAmountMinor ?? 0n;
          row = effect.reward;
          assert.equal(row.netAmountMinor, amount + sum);
          assert.ok((row.netAmountMinor as bigint) >= 0n);
          assert.ok((row.netAmountMinor as bigint) <= amount);
          if (refundPolicy !== 'none' && standing.refundedMinor === AMOUNT) {
            assert.equal(row.netAmountMinor, 0n);
          }
          const isOpen = row.fulfillmentStatus === 'pending' || row.fulfillmentStatus === 'failed';
          if (isOpen && refundPolicy !== 'none') assert.ok(countsAsGiven(row));
        };
        for (const { decision, past } of run(steps)) {
          last = [...past];
          apply(decision);
        }
        const restored = restoreAll(last);
        const standing = standingOf(AMOUNT, restored);
        apply(standing);
        expect([standing.disputedMinor, standing.refundsMinor]).toEqual([0n, 0n]);
        if (restored.some(({ kind }) => kind === 'dispute_lost')) return;
        expect(standing.refundedMinor).toBe(0n);
        expect(row.netAmountMinor).toBe(amount);
      },
    ),
  );
});

test('a dispute holds its amount or what is left, whatever was won before', () => {
  const amount = fc.bigInt({ min: 1n, max: 1_200n });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), amount, (steps, disputed) => {
      const past = [...run(steps)].at(-1)?.past ?? [];
      const before = standingOf(AMOUNT, past);
      const sent = { kind: 'dispute', amount: disputed, target: 0, at: 9 } as const;
      const after = standingOf(AMOUNT, [...past, toStep(past, sent)]);
      const leftMinor = AMOUNT - before.refundedMinor;
      const heldMinor = smallerOf(disputed, leftMinor);
      assert.equal(after.disputedMinor - before.disputedMinor, heldMinor);
      assert.equal(after.refundedMinor - before.refundedMinor, heldMinor);
    }),
    { numRuns: rounds(500, 2_000) },
  );
});

test('what was lost stays lost, whatever is refunded after', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), fc.array(step, { maxLength: 5 }), (a, b) => {
      const past = [...run(a)].at(-1)?.past ?? [];
      const isOver = standingOf(AMOUNT, past).disputedMinor === 0n;
      fc.pre(isOver);
      const lostOf = ({ refundedMinor, refundsMinor }: Standing) => refundedMinor - refundsMinor;
      const lostMinor = lostOf(standingOf(AMOUNT, past));
      const all = [...past];
      for (const sent of b) {
        const next = toStep(all, { ...sent, kind: 'refund', at: 9 });
        const decision = decideAdjustment(AMOUNT, all, next);
        if ('refused' in decision) continue;
        all.push({ ...next, appliedMinor: decision.appliedMinor });
        assert.equal(lostOf(standingOf(AMOUNT, all)), lostMinor);
      }
    }),
    { numRuns: rounds(500, 2_000) },
  );
});

test('how a purchase stands does not depend on the order in which things were reported', () => {
  const early = fc.array(step, { maxLength: 8 });
  fc.assert(
    fc.property(early, fc.infiniteStream(fc.nat()), (steps, draw) => {
      const past = [...run(steps.map((one, at) => ({ ...one, at })))].at(-1)?.past ?? [];
      const order = past
        .map((one) => ({ one, key: draw.next().value as number }))
        .sort((a, b) => a.key - b.key);
      const shuffled = order.map(({ one }, at) => ({ ...one, number: at + 1 }));
      assert.deepEqual(standingOf(AMOUNT, shuffled), standingOf(AMOUNT, past));
    }),
    { numRuns: rounds(500, 1_000) },
  );
});

describe('a dispute', () => {
  type Fact = [kind: string, amount: number | null, target?: number, at?: number];
  const send = (...facts: Fact[]) => {
    const past: AdjustmentStep[] = [];
    let last: ReturnType<typeof decideAdjustment> = { ...NOTHING, appliedMinor: 0n };
    for (const [kind, amount, target = 1, at = 0] of facts) {
      const amountMinor = BigInt(amount ?? 0);
      const next = toStep(past, { kind, amount: amountMinor, target: target - 1, at } as Sent);
      last = decideAdjustment(AMOUNT, past, next);
      if ('refused' in last) return last.refused.reason;
      past.push({ ...next, appliedMinor: last.appliedMinor });
    }
    return [last.refundedMinor, last.disputedMinor, last.appliedMinor].map(Number);
  };
  const dispute: Fact = ['dispute', 1_000];
  const lost: Fact = ['dispute_lost', null];
  const part: Fact = ['dispute', 400];

  test.each<[string, Fact[], number[] | string]>([
    ['that a refund meets is settled by it first', [dispute, ['refund', 600]], [1_000, 400, 0]],
    ['of a part, likewise', [part, ['refund', 300]], [400, 100, 0]],
    ['of a part: a refund of more takes the rest', [part, ['refund', 700]], [700, 0, 300]],
    [
      'is disputed again when the refund fails',
      [dispute, ['refund', 600], ['restoration', 600, 2]],
      [1_000, 1_000, 0],
    ],
    [
      'that was won gives back only what was not refunded meanwhile',
      [dispute, ['refund', 600], ['restoration', 1_000]],
      [600, 0, 400],
    ],
    [
      'that was won stays won when the refund fails later',
      [dispute, ['refund', 600], ['restoration', 1_000], ['restoration', 600, 2]],
      [0, 0, 600],
    ],
    ['that was lost is final', [dispute, lost], [1_000, 0, 0]],
    ['of a part that was lost leaves the rest', [part, lost], [400, 0, 0]],
    ['that was lost leaves nothing to refund', [dispute, lost, ['refund', 1]], REFUSED],
    [
      'of a part that was lost: refunds fit beside it',
      [part, lost, ['refund', 600]],
      [1_000, 0, 600],
    ],
    ['of a part that was lost: no more than that', [part, lost, ['refund', 601]], REFUSED],
    [
      'that was lost after a refund settled a part: only the rest is lost',
      [part, ['refund', 300], lost, ['refund', 600]],
      [1_000, 0, 600],
    ],
    ['is never in the way of a refund', [dispute, ['refund', 1_000]], [1_000, 0, 0]],
    ['does not make room for more than was paid', [dispute, ['refund', 1_001]], REFUSED],
    ['cannot be lost twice', [dispute, lost, lost], 'dispute_closed'],
    ['cannot be won once lost', [dispute, lost, ['restoration', 1]], 'dispute_closed'],
    ['cannot be lost once won', [dispute, ['restoration', 1_000], lost], 'dispute_closed'],
    [
      'that was won in part can be lost for the rest',
      [dispute, ['restoration', 300], lost],
      [700, 0, 0],
    ],
    ['cannot be won for more than it was of', [part, ['restoration', 401]], REFUSED],
    ['is what a loss must name: no refund', [['refund', 10], lost], 'adjustment_unknown'],
    ['is what a loss must name: not nothing', [lost], 'adjustment_unknown'],
    [
      'holds the rest when a refund from before it fails',
      [
        ['refund', 600],
        ['dispute', 1_000, 1, 1],
        ['restoration', 600],
      ],
      [1_000, 1_000, 0],
    ],
    [
      'is not settled by a refund from before it that is reported late',
      [
        ['dispute', 400, 1, 1],
        ['refund', 300],
      ],
      [700, 400, 300],
    ],
    [
      'of everything that was lost makes room for a refund from before it',
      [
        ['dispute', 1_000, 1, 1],
        ['dispute_lost', null, 1, 2],
        ['refund', 300],
      ],
      [1_000, 0, 0],
    ],
    ['beside another: the older is settled first', [part, part, ['refund', 500]], [800, 300, 0]],
    ['beside another: each is lost for itself', [part, part, lost], [800, 400, 0]],
    ['beside another: claims never exceed the purchase', [dispute, part], [1_000, 1_000, 0]],
    [
      'beside another that is won takes what that held, up to its own amount',
      [part, dispute, ['restoration', 400]],
      [1_000, 1_000, 0],
    ],
    [
      'after one that was won holds all of its amount',
      [dispute, ['restoration', 1_000], dispute],
      [1_000, 1_000, 1_000],
    ],
    [
      'after one that was won is lost for all of its amount',
      [dispute, ['restoration', 1_000], dispute, ['dispute_lost', null, 3]],
      [1_000, 0, 0],
    ],
    [
      'after one that was won and lost itself leaves nothing to refund',
      [dispute, ['restoration', 1_000], dispute, ['dispute_lost', null, 3], ['refund', 1]],
      REFUSED,
    ],
    [
      'after one of a part that was won holds all, too',
      [part, ['restoration', 400], dispute],
      [1_000, 1_000, 1_000],
    ],
    [
      'after one that was won in part holds what that does not',
      [dispute, ['restoration', 300], part],
      [1_000, 1_000, 300],
    ],
    [
      'after one that was won and a refund holds the rest',
      [dispute, ['restoration', 1_000], ['refund', 600], dispute],
      [1_000, 400, 400],
    ],
    [
      'that was won in part and lost for the rest stays lost beside refunds',
      [part, ['restoration', 100], lost, ['refund', 700]],
      [1_000, 0, 700],
    ],
  ])('%s', (_, facts, outcome) => expect(send(...facts)).toEqual(outcome));
});

test('what the first rule decided stands as it did: refunds took from what no dispute held', () => {
  const first = { appliedMinor: 400n, restoresId: null, closesId: null, occurredAt: NOW, rule: 1 };
  const steps: AdjustmentStep[] = [
    { ...first, id: 'd', number: 1, kind: 'dispute', amountMinor: 400n },
    { ...first, id: 'r', number: 2, kind: 'refund', amountMinor: 300n, appliedMinor: 300n },
  ];
  expect(standingOf(AMOUNT, steps)).toMatchObject({ refundedMinor: 700n, disputedMinor: 400n });
  // 300 of the disputed amount found nothing left to hold, and hold nothing later.
  const late: AdjustmentStep = { ...first, id: 'e', number: 3, kind: 'dispute', amountMinor: 600n };
  const held = [...steps, { ...late, appliedMinor: 300n }];
  const failed: AdjustmentStep = {
    ...first,
    id: 'f',
    number: 4,
    kind: 'restoration',
    amountMinor: 300n,
    restoresId: 'r',
  };
  expect(standingOf(AMOUNT, [...held, failed]).refundedMinor).toBe(700n);
});

describe('an upgraded store', () => {
  type Old = { amountMinor: bigint; appliedMinor: bigint; restoredMinor: bigint; kind: string };

  /** The decision of previous versions, step by step: null if it was refused. */
  const decideByFirstRule = (
    standing: { refundedMinor: bigint; disputedMinor: bigint },
    kind: string,
    amountMinor: bigint,
    undone: Old | undefined,
  ) => {
    const { refundedMinor, disputedMinor } = standing;
    if (kind === 'restoration') {
      if (!undone || amountMinor > undone.amountMinor - undone.restoredMinor) return null;
      const givenBack = smallerOf(undone.restoredMinor, undone.appliedMinor);
      const appliedMinor = smallerOf(amountMinor, undone.appliedMinor - givenBack);
      return {
        appliedMinor,
        refundedMinor: refundedMinor - appliedMinor,
        disputedMinor: disputedMinor - (undone.kind === 'dispute' ? appliedMinor : 0n),
      };
    }
    const leftMinor = AMOUNT - refundedMinor;
    if (kind === 'refund' && amountMinor > leftMinor) return null;
    const appliedMinor = smallerOf(amountMinor, leftMinor);
    return {
      appliedMinor,
      refundedMinor: refundedMinor + appliedMinor,
      disputedMinor: disputedMinor + (kind === 'dispute' ? appliedMinor : 0n),
    };
  };

  /** A history that previous versions can have left, with the state of the purchase at its end. */
  const replay = (sent: readonly Sent[]) => {
    const past: AdjustmentStep[] = [];
    const rows = new Map<string, Old>();
    let standing = { refundedMinor: 0n, disputedMinor: 0n };
    for (const one of sent) {
      const targets = past.filter(({ kind }) => kind !== 'restoration');
      const number = past.length + 1;
      const next = { ...toStep(targets, one), id: `padj_${number}`, number, rule: FIRST_RULE };
      const undone = rows.get(next.restoresId ?? '');
      const decided = decideByFirstRule(standing, next.kind, one.amount, undone);
      if (!decided) continue;
      expect(decideAdjustment(AMOUNT, past, { ...next, appliedMinor: one.amount })).toEqual(
        decided,
      );
      const { appliedMinor, ...after } = decided;
      standing = after;
      if (undone) undone.restoredMinor += one.amount;
      rows.set(next.id, { ...next, amountMinor: one.amount, appliedMinor, restoredMinor: 0n });
      past.push({ ...next, appliedMinor });
    }
    return { past, standing };
  };

  test('has every purchase stand as it stood, whatever its history, and decided again alike', () => {
    const old = step.filter(({ kind }) => kind !== 'dispute_lost');
    fc.assert(
      fc.property(fc.array(old, { maxLength: 30 }), (sent) => {
        const { past, standing } = replay(sent);
        expect(standingOf(AMOUNT, past)).toMatchObject(standing);
      }),
      { numRuns: rounds(500, 2_000) },
    );
  });

  // Result of Stripe refunds that met an open dispute.
  const { past } = replay([
    { kind: 'dispute', amount: 1_000n, target: 0, at: 0 },
    { kind: 'restoration', amount: 1_000n, target: 0, at: 0 },
    { kind: 'refund', amount: 600n, target: 0, at: 0 },
    { kind: 'dispute', amount: 1_000n, target: 0, at: 0 },
  ]);
  const decide = (more: Partial<AdjustmentStep>) => {
    const none = { restoresId: null, closesId: null, amountMinor: null };
    const base = { ...(past[0] as AdjustmentStep), ...none, id: 'next', number: 5, rule: RULE };
    const decision = decideAdjustment(AMOUNT, past, {
      ...base,
      occurredAt: addMs(NOW, 1),
      ...more,
    });
    if ('refused' in decision) return decision.refused.reason;
    const { refundedMinor, disputedMinor, appliedMinor } = decision;
    return [refundedMinor, disputedMinor, appliedMinor].map(Number);
  };

  test.each<[string, Partial<AdjustmentStep>, number[] | string]>([
    ['losing it changes nothing', { kind: 'dispute_lost', closesId: 'padj_4' }, [1_000, 0, 0]],
    [
      'winning it gives back the rest',
      { kind: 'restoration', restoresId: 'padj_4', amountMinor: 1_000n },
      [600, 0, 400],
    ],
    ['a refund settles the rest', { kind: 'refund', amountMinor: 400n }, [1_000, 0, 0]],
    ['and no more', { kind: 'refund', amountMinor: 401n }, REFUSED],
  ])('where a refund met a dispute: %s', (_, next, outcome) => {
    expect(standingOf(AMOUNT, past)).toMatchObject({ refundedMinor: 1_000n, disputedMinor: 400n });
    expect(decide(next)).toEqual(outcome);
  });
});

test('a Reward is left untouched, and not merely equal, when nothing follows for it', () => {
  const row = money(100n);
  const standing = { amountMinor: 1_000n, refundedTotalMinor: 0n, disputedTotalMinor: 0n };
  const terms = { refundPolicy: 'proportional', roundingPolicy: 'half_up' } as const;
  expect(applyRefund(row, terms, standing, { now: NOW, newId }).reward).toBe(row);
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
  const { reward: after } = applyRefund(row, terms, standing, { now: later, newId });
  expect(after).toMatchObject({
    fulfillmentStatus: to,
    void: { reasonCode: 'refund', voidedAt: later },
    updatedAt: later,
  });
  expect(applyRefund(after, terms, standing, { now: later, newId }).reward).toBe(after);
});

test('a dispute of everything holds units that were not granted, and voids nothing', () => {
  const standing = { amountMinor: 10n, refundedTotalMinor: 10n, disputedTotalMinor: 10n };
  for (const refundPolicy of ['proportional', 'full'] as const) {
    const terms = { refundPolicy, roundingPolicy: 'half_up' } as const;
    const held = applyRefund(custom(), terms, standing, { now: NOW, newId }).reward;
    expect(held).toMatchObject({
      deliveryStatus: 'on_hold',
      deliveryReason: 'dispute_open',
      void: null,
    });
    const granted = custom({ fulfillmentStatus: 'fulfilled' });
    expect(applyRefund(granted, terms, standing, { now: NOW, newId }).reward).toBe(granted);
    // A Reward in progress may become pending again, and is then on hold.
    for (const fulfillmentStatus of ['in_progress', 'failed'] as const) {
      const sent = applyRefund(custom({ fulfillmentStatus }), terms, standing, {
        now: NOW,
        newId,
      }).reward;
      expect(sent).toMatchObject({ fulfillmentStatus, isDisputed: true });
      const won = { amountMinor: 10n, refundedTotalMinor: 0n, disputedTotalMinor: 0n };
      expect(applyRefund(sent, terms, won, { now: NOW, newId }).reward.isDisputed).toBe(false);
    }
  }
});
