import { expect, test } from 'vitest';
import { PlanAge } from './engine-common.ts';

/** The numbers of the transactions before which a connection forgets its plans. */
function renewals(facts: readonly number[], plans = new PlanAge()): number[] {
  const connection = {};
  return facts.flatMap((count, index) => (plans.isOutdated(connection, count) ? [index + 1] : []));
}

test('plans are made anew whenever the number of facts has doubled', () => {
  expect(renewals(Array.from({ length: 40 }, () => 1))).toEqual([2, 4, 8, 16, 32]);
  expect(renewals([1, 600, 100, 400, 100, 900, 1])).toEqual([2, 4, 6]);
});

test('plans are first made anew when there is a number of facts', () => {
  const facts = Array.from({ length: 40 }, () => 1);
  expect(renewals(facts, new PlanAge({ firstAt: 10 }))).toEqual([10, 20, 40]);
  expect(renewals([9, 100, 1], new PlanAge({ firstAt: 10 }))).toEqual([2]);
});

test('a connection that was just opened has no old plans', () => {
  const plans = new PlanAge();
  const [first, second] = [{}, {}];
  expect([first, first, second, first].map((one) => plans.isOutdated(one, 2))).toEqual([
    false,
    true,
    false,
    true,
  ]);
});
