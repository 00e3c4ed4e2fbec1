import assert from 'node:assert/strict';
import fc from 'fast-check';
import { test } from 'vitest';
import { MemoryTracking, parties } from '../../../../test/memory-tracking.ts';
import { aProgram, aRule, percentTerms } from '../../../../test/program-book.ts';
import { rounds } from '../../../../test/rounds.ts';
import { addMs, MINUTE_MS } from '../../../platform/kit/instant.ts';
import { smallerOf } from '../../../platform/kit/money.ts';
import { REFUND_POLICIES, ROUNDING_POLICIES } from '../../programs/rules/benefit-words.ts';
import { divideRounded } from '../../rewards/decide/calculate-reward.ts';
import type { TrackCommand } from '../batch/needs.ts';
import type { TrackAdjustment } from '../billing-schema.ts';
import { normalizeAdjustment } from '../intake/normalize-billing.ts';
import { normalizeEvent } from '../intake/normalize-event.ts';

const NOW = '2026-11-15T09:30:00.000Z';
const AMOUNT = 1_000n;

const terms = fc.record({
  rateBps: fc.integer({ min: 1, max: 10_000 }),
  roundingPolicy: fc.constantFrom(...ROUNDING_POLICIES),
  refundPolicy: fc.constantFrom(...REFUND_POLICIES),
});

function openShop(more: Parameters<typeof percentTerms>[1]): MemoryTracking {
  const rule = aRule([percentTerms(1, { durationMode: 'forever', ...more })]);
  const referrer = { name: 'ada', programId: 'prg' };
  return new MemoryTracking(NOW, [aProgram({ rules: [rule] })], [referrer]);
}
const source = { sourceNamespaceId: 'src' };
const bob = parties('bob');
const SIGNUP: TrackCommand = {
  kind: 'event',
  event: normalizeEvent({ ...source, type: 'signup', refCode: 'ada-prg', ...bob }),
};
const ORDER: TrackCommand = {
  kind: 'event',
  event: normalizeEvent({
    ...source,
    type: 'purchase',
    sourceEventId: 'order',
    purchase: { amountMinor: `${AMOUNT}`, currency: 'USD' },
    ...bob,
  }),
};

/** Refunds that together fit into the purchase, disputes of any amount, and restorations of both. */
const adjustments = fc
  .array(
    fc.record({
      kind: fc.constantFrom('refund' as const, 'dispute' as const),
      amount: fc.bigInt({ min: 1n, max: AMOUNT }),
      restored: fc.array(fc.bigInt({ min: 1n, max: AMOUNT }), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((list) => {
    let leftMinor = AMOUNT;
    return list.flatMap(({ kind, amount, restored }) => {
      const amountMinor = kind === 'refund' ? smallerOf(amount, leftMinor) : amount;
      if (amountMinor === 0n) return [];
      if (kind === 'refund') leftMinor -= amountMinor;
      let openMinor = amountMinor;
      const parts = restored.flatMap((part) => {
        const partMinor = smallerOf(part, openMinor);
        openMinor -= partMinor;
        return partMinor === 0n ? [] : [partMinor];
      });
      return [{ kind, amountMinor, parts }];
    });
  });
type Adjustments = typeof adjustments extends fc.Arbitrary<infer T> ? T : never;
type Terms = typeof terms extends fc.Arbitrary<infer T> ? T : never;

interface Step {
  readonly needs: string | null;
  readonly name: string;
  readonly command: TrackCommand;
}

/** Each occurs a minute after the previous one, and is reported at any time. */
function stepsOf(list: Adjustments): Step[] {
  const steps: Step[] = [
    { name: 'signup', needs: null, command: SIGNUP },
    { name: 'order', needs: null, command: ORDER },
  ];
  const add = (
    needs: string | null,
    body: Pick<TrackAdjustment, 'kind' | 'amountMinor' | 'restores'>,
  ) => {
    const name = `${steps.length}`;
    const adjustment = normalizeAdjustment({
      ...source,
      sourceEventId: name,
      purchase: { sourceEventId: 'order' },
      currency: 'USD',
      currencyExponent: 2,
      occurredAt: addMs(NOW, (steps.length - 60) * MINUTE_MS),
      ...body,
    });
    steps.push({ name, needs, command: { kind: 'adjustment', adjustment } });
    return name;
  };
  for (const { kind, amountMinor, parts } of list) {
    const restores = add(null, { kind, amountMinor: `${amountMinor}` });
    for (const part of parts)
      add(restores, { kind: 'restoration', restores, amountMinor: `${part}` });
  }
  return steps;
}

/** Ordered by these keys, but nothing before its prerequisites. */
function shuffle(steps: readonly Step[], keys: readonly number[]): Step[] {
  const rankOf = (step: Step): number => {
    const own = keys[steps.indexOf(step)] ?? 0;
    const target = steps.find(({ name }) => name === step.needs);
    return target ? Math.max(own, rankOf(target) + 0.5) : own;
  };
  return steps.toSorted((a, b) => rankOf(a) - rankOf(b));
}

const earned = (shop: MemoryTracking) =>
  [...shop.made.rewards.added.values()].reduce((sum, one) => sum + (one.netAmountMinor ?? 0n), 0n);
const purchaseOf = (shop: MemoryTracking) => [...shop.made.purchases.added.values()][0];

/** What the policy leaves of the Reward once so much was refunded. */
function leftOf(amount: bigint, refunded: bigint, more: Terms): bigint {
  if (more.refundPolicy === 'none') return amount;
  if (more.refundPolicy === 'full') return refunded > 0n ? 0n : amount;
  return divideRounded(amount * (AMOUNT - refunded), AMOUNT, more.roundingPolicy);
}

function restoreAll(shop: MemoryTracking): void {
  for (const { id, kind, amountMinor, restoredMinor, sourceEventId } of [
    ...shop.made.adjustments.added.values(),
  ]) {
    const open = (amountMinor ?? 0n) - restoredMinor;
    if (kind === 'restoration' || open === 0n) continue;
    const body = { kind: 'restoration', restores: sourceEventId, amountMinor: `${open}` } as const;
    shop.adjust(`the rest of ${id}`, 'order', body);
  }
}

test('in whatever order refunds, disputes and restorations are reported, also before the purchase or the signup, net is what the policy leaves, and restoring all gives all back (D-ADJ-1, D-RWD-11)', () => {
  fc.assert(
    fc.property(terms, adjustments, fc.array(fc.nat(20)), (more, list, keys) => {
      const steps = stepsOf(list);
      const [inTime, shuffled] = [openShop(more), openShop(more)];
      for (const { command } of steps) inTime.submit(command);
      for (const { command } of shuffle(steps, keys)) shuffled.submit(command);
      const [one, other] = [purchaseOf(inTime), purchaseOf(shuffled)];
      assert.equal(other?.refundedMinor, one?.refundedMinor);
      assert.equal(other?.disputedMinor, one?.disputedMinor);
      assert.deepEqual(shuffled.made.early.dropped, []);

      const amount = divideRounded(AMOUNT * BigInt(more.rateBps), 10_000n, more.roundingPolicy);
      for (const shop of [inTime, shuffled]) {
        const net = leftOf(amount, purchaseOf(shop)?.refundedMinor ?? 0n, more);
        assert.equal(earned(shop), net);
        const [reward] = shop.made.rewards.added.values();
        const signed = shop.made.rewardAdjustments.map((some) => some.signedAmountMinor);
        assert.equal(
          signed.reduce((sum, some) => sum + some, reward?.amountMinor ?? 0n),
          net,
        );
        restoreAll(shop);
        assert.equal(purchaseOf(shop)?.refundedMinor, 0n);
        assert.equal(earned(shop), amount);
      }
    }),
    { numRuns: rounds(500, 5_000) },
  );
});
