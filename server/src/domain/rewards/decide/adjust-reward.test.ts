import fc from 'fast-check';
import { expect, test } from 'vitest';
import { REFUND_POLICIES, ROUNDING_POLICIES } from '../../programs/rules/benefit-words.ts';
import { adjustReward } from './adjust-reward.ts';

const amounts = fc.bigInt({ min: 1n, max: 10n ** 18n - 1n });
const roundings = fc.constantFrom(...ROUNDING_POLICIES);
const policies = fc.constantFrom(...REFUND_POLICIES);
/** A purchase, what it earned, and the successive refunded totals. */
const histories = fc.record({
  purchaseAmountMinor: amounts,
  rewardAmountMinor: amounts,
  roundingPolicy: roundings,
  refundPolicy: policies,
  shares: fc.array(fc.nat(1_000), { maxLength: 20 }),
});

test.each([
  // policy, refunded of 9999, net of a Reward of 1000
  ['proportional', 0n, 1_000n],
  ['proportional', 1n, 1_000n],
  ['proportional', 3_333n, 667n],
  ['proportional', 5_000n, 500n],
  ['proportional', 9_998n, 0n],
  ['proportional', 9_999n, 0n],
  ['full', 0n, 1_000n],
  ['full', 1n, 0n],
  ['full', 9_999n, 0n],
  ['none', 1n, 1_000n],
  ['none', 9_999n, 1_000n],
] as const)(
  'under %s, %d refunded of 9999 leaves %d of 1000 (D-RWD-11)',
  (refundPolicy, refunded, net) => {
    const adjusted = adjustReward({
      purchaseAmountMinor: 9_999n,
      refundedTotalMinor: refunded,
      rewardAmountMinor: 1_000n,
      previousNetMinor: 400n,
      refundPolicy,
      roundingPolicy: 'half_up',
    });
    expect(adjusted).toEqual({ newNetMinor: net, signedAmountMinor: net - 400n });
  },
);

test('the net is always the amount plus its adjustments, never negative and never above the amount', () => {
  fc.assert(
    fc.property(histories, ({ shares, ...input }) => {
      let net = input.rewardAmountMinor;
      let sum = 0n;
      for (const share of shares) {
        const refundedTotalMinor = (input.purchaseAmountMinor * BigInt(share)) / 1_000n;
        const step = adjustReward({ ...input, refundedTotalMinor, previousNetMinor: net });
        sum += step.signedAmountMinor;
        net = step.newNetMinor;
        expect(net).toBe(input.rewardAmountMinor + sum);
        expect(net >= 0n && net <= input.rewardAmountMinor).toBe(true);
      }
    }),
  );
});

test('a full refund leaves exactly zero, and undoing everything the exact amount, whatever came between', () => {
  fc.assert(
    fc.property(histories, ({ shares, ...input }) => {
      let net = input.rewardAmountMinor;
      const goTo = (refundedTotalMinor: bigint) => {
        net = adjustReward({ ...input, refundedTotalMinor, previousNetMinor: net }).newNetMinor;
        return net;
      };
      for (const share of shares) goTo((input.purchaseAmountMinor * BigInt(share)) / 1_000n);
      const allGone = goTo(input.purchaseAmountMinor);
      expect(allGone).toBe(input.refundPolicy === 'none' ? input.rewardAmountMinor : 0n);
      expect(goTo(0n)).toBe(input.rewardAmountMinor);
    }),
  );
});

test('a refund beyond the purchase counts as all of it', () => {
  fc.assert(
    fc.property(histories, amounts, ({ shares: _, ...input }, beyond) => {
      const of = (refundedTotalMinor: bigint) =>
        adjustReward({ ...input, refundedTotalMinor, previousNetMinor: 0n }).newNetMinor;
      expect(of(input.purchaseAmountMinor + beyond)).toBe(of(input.purchaseAmountMinor));
    }),
  );
});

test('refunding more never leaves more', () => {
  fc.assert(
    fc.property(histories, fc.nat(1_000), fc.nat(1_000), ({ shares: _, ...input }, one, other) => {
      const netAt = (share: number) => {
        const refundedTotalMinor = (input.purchaseAmountMinor * BigInt(share)) / 1_000n;
        return adjustReward({ ...input, refundedTotalMinor, previousNetMinor: 0n }).newNetMinor;
      };
      const [less, more] = [Math.min(one, other), Math.max(one, other)];
      expect(netAt(more) <= netAt(less)).toBe(true);
    }),
  );
});
