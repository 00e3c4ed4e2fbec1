import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  customTerms,
  milestoneTerms,
  someTerms,
  tieredTerms,
} from '../../../../test/program-book.ts';
import { decideProgress, type Standing } from './decide-progress.ts';
import { reachMilestone, stepAt } from './measured-benefit.ts';

const at = (value: number | bigint, more: Partial<Standing> = {}): Standing => ({
  value: BigInt(value),
  carried: 0n,
  rejected: 0n,
  underReview: 0n,
  taken: 0,
  lost: 0,
  earnedAbove: [],
  given: 0,
  ...more,
});
const share = tieredTerms('referrals', [
  [0, 2_000],
  [5, 2_500],
  [10, 3_000],
]);
const none = { rateBps: null, fixedAmountMinor: null, quantity: null };

test('terms that do not grow have no progress', () => {
  expect(decideProgress(someTerms(), at(3))).toBeNull();
});

describe('tiers', () => {
  test('say the step now, the next one and what is missing', () => {
    expect(decideProgress(share, at(3))).toEqual({
      ruleId: 'rul',
      role: 'referrer',
      type: 'tiers',
      measure: 'referrals',
      window: 'all_time',
      benefitKind: 'cash',
      currency: null,
      currencyExponent: null,
      unitName: null,
      unitNamePlural: null,
      value: '3',
      current: { ...none, at: '0', reached: null, rateBps: 2_000 },
      next: { ...none, at: '5', missing: '2', rateBps: 2_500 },
    });
  });

  test('the last step has none after it, and neither has a cap that is reached', () => {
    expect(decideProgress(share, at(10))).toMatchObject({ current: { at: '10' }, next: null });
    const capped = { ...share, maxRewardsPerBeneficiary: 4 };
    expect(decideProgress(capped, at(3, { given: 3 }))?.next).not.toBeNull();
    expect(decideProgress(capped, at(3, { given: 4 }))).toMatchObject({
      current: { at: '0' },
      next: null,
    });
  });

  test('the step is the one that earns, and what is missing leads exactly to the next', () => {
    const anySteps = fc
      .uniqueArray(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 19 })
      .map((froms) => [0, ...froms.sort((a, b) => a - b)]);
    fc.assert(
      fc.property(anySteps, fc.integer({ min: 0, max: 1_200 }), (froms, value) => {
        const terms = tieredTerms(
          'purchases',
          froms.map((from, index) => [from, index + 1]),
        );
        const { tiers } = terms;
        if (!tiers) throw new Error('no tiers');
        const progress = decideProgress(terms, at(value));
        const step = stepAt(tiers, BigInt(value));
        expect(progress?.current).toMatchObject({ at: String(step.from), rateBps: step.rateBps });
        const next = progress?.next;
        if (!next) {
          expect(value).toBeGreaterThanOrEqual(froms.at(-1) ?? 0);
          return;
        }
        const missing = BigInt(next.missing);
        expect(missing > 0n).toBe(true);
        expect(stepAt(tiers, BigInt(value) + missing - 1n)).toBe(step);
        expect(stepAt(tiers, BigInt(value) + missing)).toMatchObject({
          from: BigInt(next.at),
          rateBps: next.rateBps,
        });
      }),
    );
  });
});

describe('milestones', () => {
  const once = milestoneTerms('referrals', 5);
  const every = milestoneTerms('referrals', 5, {
    milestone: { measure: 'referrals', at: 5n, repeat: true },
  });

  test('say what was reached, and what is missing for the next', () => {
    expect(decideProgress(once, at(3))).toMatchObject({
      type: 'milestone',
      window: 'all_time',
      currency: 'USD',
      value: '3',
      current: null,
      next: { ...none, at: '5', missing: '2', fixedAmountMinor: '1000' },
    });
    expect(decideProgress(every, at(12, { taken: 2, given: 2 }))).toMatchObject({
      current: { ...none, at: '10', reached: 2, fixedAmountMinor: '1000' },
      next: { at: '15', missing: '3' },
    });
  });

  test('one that does not repeat is reached once', () => {
    expect(decideProgress(once, at(7, { taken: 1, given: 1 }))).toMatchObject({
      current: { at: '5', reached: 1 },
      next: null,
    });
  });

  test('one that was lost is the next again; one that was granted stays reached', () => {
    expect(decideProgress(once, at(4, { taken: 1, lost: 1 }))).toMatchObject({
      current: null,
      next: { at: '5', missing: '1' },
    });
    const granted = { taken: 1, given: 1, earnedAbove: [5n] };
    expect(decideProgress(once, at(4, granted))).toMatchObject({
      current: { at: '5', reached: 1 },
      next: null,
    });
    expect(decideProgress(every, at(4, { ...granted, taken: 2, lost: 1 }))).toMatchObject({
      current: { at: '5', reached: 1 },
      next: { at: '10', missing: '6' },
    });
  });

  test('after terms with another step, the measure says which is next', () => {
    expect(decideProgress(once, at(1, { taken: 1, given: 1 }))).toMatchObject({
      current: null,
      next: { at: '5', missing: '4' },
    });
    expect(decideProgress(every, at(6, { taken: 4, given: 4 }))).toMatchObject({
      current: { at: '5', reached: 4 },
      next: { at: '10', missing: '4' },
    });
  });

  test('what was reached before the terms is neither earned nor missing', () => {
    expect(decideProgress(once, at(9))).toMatchObject({ current: null, next: null });
    expect(decideProgress(every, at(9))).toMatchObject({
      current: null,
      next: { at: '10', missing: '1' },
    });
  });

  test('units are named, and a cap is no promise', () => {
    const seats = customTerms({
      calculation: 'milestone',
      milestone: { measure: 'purchases', at: 2n, repeat: true },
      maxRewardsPerBeneficiary: 1,
    });
    expect(decideProgress(seats, at(1))).toMatchObject({
      unitName: 'gigabyte',
      unitNamePlural: 'gigabytes',
      next: { quantity: 5, missing: '1' },
    });
    expect(decideProgress(seats, at(2, { taken: 1, given: 1 }))).toMatchObject({
      current: { reached: 1 },
      next: null,
    });
  });

  test('what was carried over counts as reached, also if it was imported after something was earned', () => {
    const each = milestoneTerms('referrals', 10, {
      milestone: { measure: 'referrals', at: 10n, repeat: true },
    });
    expect(decideProgress(each, at(27, { carried: 25n }))).toMatchObject({
      value: '27',
      current: { at: '20', reached: 2 },
      next: { at: '30', missing: '3' },
    });
    const late = at(37, { carried: 25n, taken: 1 });
    expect(decideProgress(each, late)).toMatchObject({
      current: { at: '30', reached: 3 },
      next: { at: '40', missing: '3' },
    });
    const ten = milestoneTerms('referrals', 10);
    for (const taken of [0, 1]) {
      expect(decideProgress(ten, at(37, { carried: 25n, taken }))).toMatchObject({
        current: { at: '10', reached: 1 },
        next: null,
      });
    }
  });

  test('what is missing is what earns the next one, if nothing was lost', () => {
    const natural = (max: number) => fc.integer({ min: 0, max });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        natural(500),
        fc.boolean(),
        (step, value, repeat) => {
          const milestone = { measure: 'purchases', at: BigInt(step), repeat } as const;
          const terms = milestoneTerms('purchases', step, { milestone });
          const reach = (before: bigint, then: bigint) =>
            reachMilestone(milestone, before, {
              value: then,
              carried: 0n,
              rejected: 0n,
              underReview: 0n,
            });
          const taken = reach(0n, BigInt(value)).length;
          const progress = decideProgress(terms, at(value, { taken, given: taken }));
          expect(progress?.current?.reached ?? 0).toBe(taken);
          const next = progress?.next;
          if (!next) {
            expect([repeat, taken]).toEqual([false, 1]);
            return;
          }
          const then = BigInt(value) + BigInt(next.missing);
          expect(reach(BigInt(value), then)).toMatchObject([{ at: next.at }]);
          expect(reach(BigInt(value), then - 1n)).toEqual([]);
        },
      ),
    );
  });
});
